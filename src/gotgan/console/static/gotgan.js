// What makes the console quicker for those who have JavaScript; nothing here is needed to read or
// to send a form.
"use strict";

const typing = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;

function jump(event) {
  const box = document.querySelector("[data-jump]");
  if (box === null) return;
  event.preventDefault();
  box.focus();
  box.select();
}

function showKeys(event) {
  event.preventDefault();
  const dialog = document.getElementById("keys");
  if (!dialog.open) dialog.showModal();
}

const KEYS = { "/": jump, "?": showKeys };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (typing(event.target)) return;
  KEYS[event.key]?.(event);
});

// Menus close with Escape, and when somebody clicks or moves elsewhere.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("focusin", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest("details.menu[open]");
  closeMenus(null);
  menu?.querySelector("summary").focus();
});

// Buttons that open a dialog are of no use without this script, so they are shown by it.
for (const button of document.querySelectorAll("[data-opens]")) {
  button.hidden = false;
  button.addEventListener("click", () => document.getElementById(button.dataset.opens).showModal());
}

// A dialog that a link has fetched opens at once; closed, it is empty, and asks for nothing more.
document.addEventListener("htmx:load", (event) => {
  const dialog = event.target;
  if (!dialog.matches("dialog[data-modal]")) return;
  dialog.addEventListener("close", () => dialog.replaceChildren());
  dialog.showModal();
});

// What is open in a part of the page stays open when htmx replaces the part.
let opened = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  opened = [...event.detail.target.querySelectorAll("details[id][open]")].map((each) => each.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});

// A form that asks for it warns before what was typed into it is lost; one that came back was
// changed before.
const changed = new Set(document.querySelectorAll('form[data-guard="changed"]'));

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-guard]");
  if (form !== null) changed.add(form);
});

document.addEventListener("submit", (event) => changed.delete(event.target));

window.addEventListener("beforeunload", (event) => {
  if ([...changed].some((form) => form.isConnected)) event.preventDefault();
});

// Headings sort a table that is complete; one that continues on another page is sorted by the server.
function sortValue(cell) {
  const given = cell.dataset.value ?? cell.querySelector("time")?.dateTime;
  const text = given ?? cell.textContent.trim();
  if (text === "" || text === "–") return null;
  const number = Number(text.replace(/[,%\s]/g, "").replace("−", "-"));
  return Number.isNaN(number) ? text : number;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), document.documentElement.lang, { numeric: true });
}

function sortBy(table, heading) {
  const order = heading.getAttribute("aria-sort");
  const isFirstDescending = heading.classList.contains("num");
  const isDescending = order === null ? isFirstDescending : order === "ascending";
  const rows = [...table.tBodies[0].rows].map((row) => [sortValue(row.cells[heading.cellIndex]), row]);
  rows.sort(([one], [other]) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return isDescending ? compare(other, one) : compare(one, other);
  });
  for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  const rows = [...table.tBodies[0].rows];
  const headings = [...table.tHead.rows[0].cells];
  const isWhole = document.querySelector("nav.pager a[rel=next]") === null;
  if (!isWhole || rows.length < 3 || table.querySelector("thead a, thead button")) return;
  if (rows.some((row) => row.cells.length !== headings.length)) return;
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, heading));
    heading.append(button);
  }
}

function makeAllSortable(root) {
  for (const table of root.querySelectorAll(".table > table")) if (table.tHead) makeSortable(table);
}

makeAllSortable(document);
document.addEventListener("htmx:load", (event) => makeAllSortable(event.target));

// Times are shown in the zone of the browser from the next page on, unless another one is chosen.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`gotgan_browser_zone=${zone}`)) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `gotgan_browser_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
}

// What htmx could not fetch is said aloud instead of leaving the page as if nothing had happened.
function sayUnreachable() {
  const notice = document.getElementById("notice");
  notice.textContent = notice.dataset.unreachable;
  notice.classList.add("bad");
  notice.hidden = false;
}

for (const event of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(event, sayUnreachable);
}
