// Draws the charts of a page. Each reads its JSON from the address in `data-chart`: panes of series,
// whose points have a time and a value, or the time alone where there is none. Instead of points a
// series can have `values`, one for each of the `times` that all series share.
"use strict";

(() => {
  const { createChart, ...kinds } = LightweightCharts;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const locale = document.documentElement.lang === "ko" ? "ko-KR" : "en-GB";
  const HIDDEN = "gotgan_hidden_series";
  const NOTHING = "rgba(0, 0, 0, 0)";
  const VOLUME = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 2 });
  const drawn = new Map();

  // Colours are those of the style sheet, as the browser resolves them for the theme.
  function colours(figure) {
    const probe = figure.appendChild(document.createElement("span"));
    const of = (name, alpha = 1) => {
      probe.style.color = `var(--${name})`;
      const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g);
      return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
    };
    const names = ["up", "down", "ink", "muted", "line", "sheet"];
    const found = Object.fromEntries(names.map((name) => [name, of(name)]));
    found.tones = [1, 2, 3, 4, 5, 6].map((tone) => of(`tone-${tone}`));
    found.washes = [1, 2, 3, 4, 5, 6].map((tone) => of(`tone-${tone}`, 0.15));
    Object.assign(found, { rise: of("up", 0.45), fall: of("down", 0.45) });
    probe.remove();
    return found;
  }

  // Points

  const isGap = (point) => point === undefined || (point.value ?? point.close) === undefined;

  function pointsOf(series, times) {
    if (series.points) return series.points;
    return series.values.map((value, number) => {
      const time = times[number];
      if (value === null) return { time };
      if (!Array.isArray(value)) return { time, value };
      const [open, high, low, close] = value;
      return { time, open, high, low, close };
    });
  }

  // A line takes the colour of a point up to the next one: before a gap it has none.
  function withGaps(points, clear) {
    return points.map((point, number) =>
      !isGap(point) && number + 1 < points.length && isGap(points[number + 1])
        ? { ...point, ...clear }
        : point,
    );
  }

  // Bars below candles have the colours of these; any others those of their sign.
  function withTrend(points, candles, colour) {
    const fell = new Map(candles.map((each) => [each.time, each.close < each.open]));
    return points.map((point) => {
      const isFall = fell.size ? fell.get(point.time) : point.value < 0;
      return isGap(point) ? point : { ...point, color: isFall ? colour.fall : colour.rise };
    });
  }

  // Figures and times

  function figures(decimals) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const format = new Intl.NumberFormat(locale, digits);
    return (value) => format.format(value);
  }

  const MOMENT = { dateStyle: "short", timeStyle: "short", timeZone: document.body.dataset.zone };
  const moments = new Intl.DateTimeFormat(locale, MOMENT);
  const timeText = (time) => (typeof time === "number" ? moments.format(time * 1000) : time);
  const TICKS = [{ year: "numeric" }, { month: "short" }, { day: "numeric" }];

  function tickText(time, kind) {
    if (typeof time !== "number") return null;
    const parts = TICKS[kind] ?? { hour: "2-digit", minute: "2-digit" };
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone: document.body.dataset.zone }).format(
      time * 1000,
    );
  }

  // Series

  function addSeries(chart, pane, number, series, points, colour) {
    const tone = ((series.tone ?? 1) - 1) % colour.tones.length;
    const candles = pane.series.find((each) => each.kind === "candles");
    const format = figures(pane.decimals);
    const options = {
      priceFormat: { type: "custom", formatter: format, minMove: 10 ** -pane.decimals },
      priceLineVisible: series.kind === "candles",
      lastValueVisible: series.kind === "candles" || !candles,
      crosshairMarkerRadius: 3,
    };
    const line = { color: colour.tones[tone], lineWidth: candles ? 1 : 2 };
    const clear = { color: NOTHING, lineColor: NOTHING, topColor: NOTHING, bottomColor: NOTHING };
    if (pane.range) {
      const [minValue, maxValue] = pane.range;
      options.autoscaleInfoProvider = () => ({ priceRange: { minValue, maxValue } });
    }
    let made;
    let data = points;
    if (series.kind === "candles") {
      const { up, down } = colour;
      const sides = { upColor: up, wickUpColor: up, downColor: down, wickDownColor: down };
      made = chart.addSeries(
        kinds.CandlestickSeries,
        { ...options, ...sides, borderVisible: false },
        number,
      );
    } else if (series.kind === "histogram") {
      const below = candles && { priceScaleId: "", priceFormat: { type: "volume" } };
      made = chart.addSeries(kinds.HistogramSeries, { ...options, ...below }, number);
      if (candles) made.priceScale().applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
      data = withTrend(points, candles ? candles.data : [], colour);
    } else if (series.kind === "area") {
      const wash = { topColor: colour.washes[tone], bottomColor: NOTHING };
      const area = { ...options, ...wash, lineColor: line.color, lineWidth: 2 };
      made = chart.addSeries(kinds.AreaSeries, area, number);
      data = withGaps(points, clear);
    } else {
      const lineType = series.kind === "step" ? kinds.LineType.WithSteps : kinds.LineType.Simple;
      made = chart.addSeries(kinds.LineSeries, { ...options, ...line, lineType }, number);
      data = withGaps(points, clear);
    }
    made.setData(data);
    return { series, made, format, tint: `tone-${tone + 1}`, last: points.findLast((each) => !isGap(each)) };
  }

  // Legends: the values below the crosshair, or the last ones

  function entry(name, text, tint) {
    const part = document.createElement("span");
    if (tint) part.style.color = `var(--${tint})`;
    part.textContent = [name, text].filter(Boolean).join(" ");
    return part;
  }

  function candleEntries({ series, format }, point) {
    const words = series.labels ?? ["O", "H", "L", "C"];
    const side = point.close < point.open ? "down" : "up";
    const values = [point.open, point.high, point.low, point.close];
    return values.map((value, number) => entry(words[number], format(value), side));
  }

  function fillLegend(legend, shown, param) {
    const points = shown.map((each) =>
      param.time === undefined ? each.last : param.seriesData.get(each.made),
    );
    const time = param.time ?? shown.find((each) => each.last)?.last.time;
    const parts = legend.dataset.dated ? [entry(timeText(time))] : [];
    shown.forEach((each, number) => {
      const { series, format } = each;
      const point = points[number];
      if (series.kind === "candles" && !isGap(point)) {
        parts.push(...candleEntries(each, point));
        return;
      }
      const write = each.made.options().priceFormat.type === "volume" ? VOLUME.format : format;
      const tint = series.kind === "histogram" || series.kind === "candles" ? null : each.tint;
      parts.push(entry(series.name, isGap(point) ? "–" : write(point.value), tint));
    });
    legend.replaceChildren(...parts);
  }

  // The whole

  function hiddenSeries() {
    try {
      return new Set(JSON.parse(localStorage.getItem(HIDDEN) ?? "[]"));
    } catch {
      return new Set(); // a browser that stores nothing shows everything
    }
  }

  function toggleButtons(figure, data, redraw) {
    const names = data.panes.flatMap((pane) => pane.series.map((each) => each.toggle));
    const bar = document.createElement("div");
    bar.className = "chart-toggles";
    for (const name of new Set(names.filter(Boolean))) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: name });
      button.setAttribute("aria-pressed", String(!figure.hiddenNames.has(name)));
      button.addEventListener("click", () => {
        const isShown = figure.hiddenNames.delete(name);
        if (!isShown) figure.hiddenNames.add(name);
        button.setAttribute("aria-pressed", String(isShown));
        try {
          localStorage.setItem(HIDDEN, JSON.stringify([...figure.hiddenNames]));
        } catch {
          return redraw(); // the choice is for this page alone
        }
        redraw();
      });
      bar.append(button);
    }
    return bar;
  }

  function shownPanes(data, hidden) {
    return data.panes
      .map((pane) => {
        const series = pane.series
          .filter((each) => !hidden.has(each.toggle))
          .map((each) => ({ ...each, data: pointsOf(each, data.times) }));
        return { decimals: data.decimals ?? 0, height: 1, ...pane, series };
      })
      .filter((pane) => pane.series.length);
  }

  function drawChart(box, data, hidden) {
    const colour = colours(box);
    const first = data.panes[0].series[0];
    const times = data.times ?? (first?.points ?? []).map((each) => each.time);
    const axis = { borderColor: colour.line };
    const chart = createChart(box, {
      autoSize: true,
      layout: {
        attributionLogo: false,
        background: { color: NOTHING },
        textColor: colour.muted,
        fontFamily: getComputedStyle(box).fontFamily,
        panes: { separatorColor: colour.line, separatorHoverColor: colour.line },
      },
      grid: { vertLines: { color: colour.line }, horzLines: { color: colour.line } },
      crosshair: { mode: kinds.CrosshairMode.Normal },
      rightPriceScale: axis,
      timeScale: {
        ...axis,
        timeVisible: typeof times[0] === "number",
        tickMarkFormatter: typeof times[0] === "number" ? tickText : undefined,
        minBarSpacing: 0.1,
      },
      localization: { locale, dateFormat: "yyyy-MM-dd", timeFormatter: timeText },
      handleScroll: { vertTouchDrag: false },
      kineticScroll: { touch: !still.matches, mouse: false },
    });
    const panes = shownPanes(data, hidden).map((pane, number) => {
      const shown = pane.series.map((each) =>
        addSeries(chart, pane, number, each, each.data, colour),
      );
      for (const price of pane.levels ?? []) {
        const level = { price, color: colour.muted, lineStyle: kinds.LineStyle.Dotted };
        shown[0].made.createPriceLine({ ...level, lineWidth: 1, axisLabelVisible: false, title: "" });
      }
      const legend = box.appendChild(document.createElement("div"));
      legend.className = "chart-legend";
      if (number === 0) legend.dataset.dated = "true";
      return { shown, legend, height: pane.height };
    });
    panes.forEach(({ height }, number) => chart.panes()[number].setStretchFactor(height));

    const place = () => {
      const top = box.getBoundingClientRect().top;
      panes.forEach(({ legend }, number) => {
        const element = chart.panes()[number]?.getHTMLElement();
        if (element) legend.style.top = `${element.getBoundingClientRect().top - top + 4}px`;
      });
    };
    const fill = (param) => {
      for (const { legend, shown } of panes) fillLegend(legend, shown, param);
      place();
    };
    chart.subscribeCrosshairMove(fill);
    chart.timeScale().fitContent();
    chart.timeScale().subscribeSizeChange(place);
    fill({ seriesData: new Map() });
    requestAnimationFrame(place);
    return chart;
  }

  function show(figure, data) {
    const box = document.createElement("div");
    box.className = "chart-box";
    box.setAttribute("aria-hidden", "true"); // the table of the page has the same figures
    figure.hiddenNames = hiddenSeries();
    const redraw = () => {
      const range = drawn.get(figure)?.chart?.timeScale().getVisibleLogicalRange();
      drawn.get(figure)?.chart?.remove();
      box.replaceChildren();
      const chart = drawChart(box, data, figure.hiddenNames);
      if (range) chart.timeScale().setVisibleLogicalRange(range);
      drawn.set(figure, { chart, redraw });
    };
    figure.replaceChildren(toggleButtons(figure, data, redraw), box);
    redraw();
    figure.dataset.drawn = "true";
  }

  async function load(figure) {
    drawn.set(figure, {});
    const failed = () => {
      const line = document.createElement("p");
      line.className = "muted";
      line.textContent = figure.dataset.failed;
      figure.replaceChildren(line);
    };
    const answer = await fetch(figure.dataset.chart).catch(() => null);
    if (!answer?.ok) return failed();
    show(figure, await answer.json());
  }

  function loadAll(root) {
    for (const figure of root.querySelectorAll("[data-chart]")) {
      if (!drawn.has(figure)) load(figure);
    }
    for (const [figure, { chart }] of drawn) {
      if (figure.isConnected) continue;
      chart?.remove();
      drawn.delete(figure);
    }
  }

  document.addEventListener("htmx:load", () => loadAll(document));
  dark.addEventListener("change", () => {
    for (const { redraw } of drawn.values()) redraw?.();
  });
  loadAll(document);
})();
