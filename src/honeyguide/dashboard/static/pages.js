// The table of pages: filters in the address, rows from the API, keys.

import { api, element, get, here, thousands } from "./api.js";

const form = document.getElementById("filters");
const table = document.getElementById("pages");
const body = table.tBodies[0];
const more = document.getElementById("more");
const count = document.getElementById("count");
const nothing = document.getElementById("nothing");
const scanned = document.getElementById("scanned");
const clear = document.getElementById("clear");
const exported = document.getElementById("export");
const script = document.querySelector("script[data-total]");
let asking = null;
let waiting = 0;

/** What the form says, without what is empty or as it is by default. */
function query() {
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value.trim()) said.set(name, value.trim());
  if (said.get("sort") === "time") said.delete("sort");
  if (said.get("order") === "desc") said.delete("order");
  return said;
}

function address(said) {
  return `${here}pages${said.size ? `?${said}` : ""}`;
}

const moment = (at) => new Date(1000 * at).toISOString().slice(0, 16).replace("T", " ");

function result(row) {
  if (row.error) {
    const kind = row.error === "status" ? `status ${row.status}` : row.error;
    return element("span", { class: "chip bad", title: row.detail }, kind);
  }
  if (row.unchanged) return element("span", { class: "chip" }, "unchanged");
  if (row.duplicate)
    return element("span", { class: "chip", title: "The same text was seen under another address" }, "duplicate");
  return String(row.status);
}

function relevance(row) {
  if (row.relevance === null) return [element("span", { class: "muted" }, "–")];
  const meter = element("progress", {
    class: row.relevant ? "meter on" : "meter",
    max: 1,
    value: row.relevance,
    "aria-hidden": "true",
  });
  const said = [meter, " ", element("span", {}, row.relevance.toFixed(2))];
  return row.relevant ? [...said, element("span", { class: "visually-hidden" }, " on topic")] : said;
}

// Pages that are visited again are asked for before all others, and so are seeds.
function score(row) {
  if (!row.depth) return "seed";
  return row.queue_score >= 1e9 ? "again" : row.queue_score.toFixed(3);
}

function line(row) {
  const link = element("a", { href: `${here}pages/${row.visit}` }, element("bdi", {}, row.title || row.url.slice(0, 120)));
  const below = element("div", { class: "muted small clip" }, element("bdi", {}, row.url.slice(0, 200)));
  return element(
    "tr",
    { "data-visit": row.visit, class: row.error ? "failed" : null },
    element("td", { class: "c-relevance" }, ...relevance(row)),
    element("td", { class: "c-page" }, link, below),
    element("td", { class: "c-host clip" }, element("bdi", {}, row.host)),
    element("td", { class: "c-language" }, row.language),
    element("td", { class: "c-type clip", title: row.type }, row.type.split("/").pop()),
    element("td", { class: "c-status" }, result(row)),
    element("td", { class: "c-queue_score numeric" }, score(row)),
    element("td", { class: "c-time" }, moment(row.at)),
  );
}

function show(found, added) {
  const rows = found.rows.map(line);
  if (added) body.append(...rows);
  else body.replaceChildren(...rows);
  const text = form.elements.text.value.trim();
  more.hidden = found.next === null;
  more.dataset.next = found.next ?? "";
  more.textContent = text && found.next !== null ? "Look further" : "Show more";
  nothing.hidden = body.rows.length > 0 || found.next !== null;
  if (!nothing.hidden && found.total) nothing.textContent = "No page fits these filters. Take one of them away to see more.";
  scanned.hidden = !text;
  scanned.textContent =
    `Looked through ${thousands(found.looked)} of ${thousands(found.matching)}. ` +
    "For words in the text of all pages, use Search.";
  const reading = found.read < found.total ? ` Reading: ${thousands(found.read)} of ${thousands(found.total)} visits.` : "";
  count.textContent = text
    ? `${thousands(body.rows.length)} found${found.next === null ? "" : " so far"}.${reading}`
    : `${thousands(found.matching)} of ${thousands(found.read)} visits.${reading}`;
  clearTimeout(waiting);
  if (found.read < found.total && !added) waiting = setTimeout(() => load(), 2000);
}

/** Asks for rows; a newer question ends an older one. */
async function load({ offset = 0 } = {}) {
  asking?.abort();
  asking = new AbortController();
  const said = query();
  said.set("offset", offset);
  table.setAttribute("aria-busy", "true");
  try {
    const found = await get(`${api}/pages?${said}`, { signal: asking.signal });
    show(found, offset > 0);
    return found;
  } catch (error) {
    if (error.name === "AbortError") return null;
    return null;
  } finally {
    table.removeAttribute("aria-busy");
  }
}

/** So that a page can lead back to the table as it was left. */
function leaveWord(said) {
  try {
    sessionStorage.setItem("table", address(said));
  } catch {
    // Without storage it leads back to the whole table.
  }
}
leaveWord(query());

function changed() {
  if (!form.checkValidity()) return;
  const said = query();
  history.replaceState(null, "", address(said));
  leaveWord(said);
  exported.href = `${api}/pages.csv?${said}`;
  clear.hidden = ![...said.keys()].some((name) => name !== "sort" && name !== "order");
  load();
}

let typing = 0;
form.addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(changed, event.target.matches("input:not([type=checkbox])") ? 250 : 0);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  changed();
});
clear.addEventListener("click", () => {
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = false;
    else if (field.name && field.type !== "hidden") field.value = "";
  }
  changed();
  form.elements.text.focus();
});

table.tHead.addEventListener("click", (event) => {
  const button = event.target.closest(".sort");
  if (!button) return;
  const { sort, first } = button.dataset;
  const same = form.elements.sort.value === sort;
  form.elements.order.value = same ? (form.elements.order.value === "asc" ? "desc" : "asc") : first;
  form.elements.sort.value = sort;
  for (const heading of table.tHead.rows[0].cells) heading.removeAttribute("aria-sort");
  button.parentElement.setAttribute("aria-sort", form.elements.order.value === "asc" ? "ascending" : "descending");
  changed();
});

async function loadMore() {
  if (more.hidden || more.disabled) return;
  more.disabled = true;
  await load({ offset: Number(more.dataset.next) });
  more.disabled = false;
}
more.addEventListener("click", loadMore);

// Keys: the row that is current is the one whose link has the focus.
async function step(by) {
  const rows = [...body.rows];
  const current = rows.indexOf(document.activeElement?.closest("tr"));
  const wanted = current < 0 ? (by > 0 ? 0 : -1) : current + by;
  if (wanted >= rows.length) await loadMore();
  body.rows[wanted]?.querySelector("a").focus();
}

const dialog = document.getElementById("keys");
document.getElementById("show-keys").addEventListener("click", () => dialog.showModal());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  const inField = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && inField) {
    event.preventDefault(); // or the browser empties the field
    event.target.blur();
  }
  if (inField) return;
  const keys = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  if (event.key in keys) {
    // Arrows scroll as ever until a row is chosen.
    if (event.key.startsWith("Arrow") && !document.activeElement?.closest("tbody tr")) return;
    event.preventDefault();
    step(keys[event.key]);
  } else if (event.key === "/") {
    event.preventDefault();
    form.elements.text.focus();
  } else if (event.key === "?") {
    event.preventDefault();
    dialog.showModal();
  }
});

if (Number(script.dataset.read) < Number(script.dataset.total)) waiting = setTimeout(() => load(), 1000);
