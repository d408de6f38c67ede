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
