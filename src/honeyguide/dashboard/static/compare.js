// Compare: curves, figures, and which pages both crawls or one alone have found.

import { element, get, percent, thousands } from "./api.js";

const byId = (id) => document.getElementById(id);
const { one, other } = byId("comparison").dataset;
const pair = new URLSearchParams({ one, other }).toString();
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

for (const select of document.querySelectorAll("#choose select")) {
  select.addEventListener("change", () => byId("choose").requestSubmit());
}

let found;
let shown = "found";
let chart = null;

function drawChart() {
  const place = byId("chart");
  chart?.destroy();
  const share = shown === "harvest";
  const axis = (room) => ({ size: room, stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" });
  chart = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      padding: [10, 14, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 6 } },
      scales: { x: { time: false }, y: { range: (_, low, high) => [0, share ? Math.min(1, Math.max(0.1, (high || 0) * 1.1)) : Math.max(1, (high || 0) * 1.05)] } },
      axes: [
        { ...axis(30), values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? thousands(tick) : "")) },
        { ...axis(56), values: (_, ticks) => ticks.map((tick) => (share ? percent(tick, 0) : Number.isInteger(tick) ? thousands(tick) : "")) },
      ],
      series: [
        {},
        { label: one, stroke: colour("--one"), width: 2, points: { show: false } },
        { label: other, stroke: colour("--second"), width: 2, points: { show: false } },
      ],
    },
    [found.curves.pages, ...found.curves[shown]],
    place,
  );
  byId("chart-title").textContent = share ? "Share of pages on topic over pages fetched" : "Pages on topic over pages fetched";
  byId("chart-words").textContent = found.sides.map((side) => `${side.name}: ${thousands(side.relevant)} of ${thousands(side.pages)} pages on topic (${percent(side.harvest)})`).join("; ") + ".";
  for (const kind of ["found", "harvest"]) byId(`chart-${kind}`).setAttribute("aria-pressed", String(kind === shown));
}
for (const kind of ["found", "harvest"]) {
  byId(`chart-${kind}`).addEventListener("click", () => {
    shown = kind;
    if (found) drawChart();
  });
}
window.addEventListener("resize", () => found && drawChart());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => found && drawChart());

function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function drawFigures() {
  const row = (name, value) => element("tr", {}, element("th", { scope: "row" }, name), ...found.sides.map((side) => element("td", { class: "numeric" }, value(side))));
  const head = element("tr", {}, element("th", {}), ...found.sides.map((side, at) => element("th", { class: "numeric" }, element("span", { class: `swatch ${at ? "other" : "one"}` }), element("a", { href: side.path }, side.name))));
  byId("figures").replaceChildren(
    element("table", { class: "table" }, element("thead", {}, head), element("tbody", {},
      row("Pages", (side) => thousands(side.pages)),
      row("On topic", (side) => thousands(side.relevant)),
      row("Harvest rate", (side) => percent(side.harvest)),
      row("Hosts", (side) => thousands(side.hosts)),
      row("First to last visit", (side) => duration(side.seconds)),
      row("Pages only here", (side) => thousands(side.only)),
      row("On topic only here", (side) => thousands(side.only_relevant)))),
    ...found.sides.filter((side) => side.read < side.total).map((side) => element("p", { class: "small muted" }, `${side.name}: ${thousands(side.read)} of ${thousands(side.total)} visits are read so far.`)),
  );
}

function bar(title, parts) {
  const total = parts.reduce((sum, count) => sum + count, 0);
  const place = element("div", { class: "share-bar", role: "img", "aria-label": `${title}: ${parts.map(thousands).join(", ")}` });
  ["one", "both", "other"].forEach((name, at) => {
    const piece = element("span", { class: name, title: thousands(parts[at]) });
    piece.style.width = total ? `${(100 * parts[at]) / total}%` : "0";
    if (parts[at]) place.append(piece);
  });
  const legend = element("p", { class: "legend" }, ...[`only ${one}`, "both", `only ${other}`].map((name, at) => element("span", {}, element("span", { class: `swatch ${["one", "both", "other"][at]}` }), `${name} ${thousands(parts[at])}`)));
  return [element("h3", {}, title), place, legend];
}

function drawOverlap() {
  const [first, second] = found.sides;
  const parts = [
    ...bar("All pages", [first.only, found.both, second.only]),
    ...bar("Pages on topic", [first.relevant - found.both_relevant, found.both_relevant, second.relevant - found.both_relevant]),
  ];
  if (found.agree !== null) parts.push(element("p", { class: "small" }, `On ${percent(found.agree)} of the pages of both the verdicts are the same.`));
  if (found.estimate) {
    parts.push(element("p", { class: "small" }, `From the overlap there are about ${thousands(found.estimate.total)} pages on topic (${thousands(found.estimate.low)} to ${thousands(found.estimate.high)} at 95 %); crawls that share seeds or a strategy miss the same pages, and then there are more.`));
  }
  byId("overlap").replaceChildren(...parts);
}

// The lists

let which = "both";
let page = 1;
let asked = 0;

function cell(row, at) {
  const side = found.sides[at];
  if (row.visits[at] === null) return element("td", { class: "numeric muted" }, "–");
  const relevance = row.relevance[at] === null ? "–" : row.relevance[at].toFixed(2);
  return element("td", { class: "numeric" }, element("a", { href: `${side.path}pages/${row.visits[at]}`, class: row.relevant[at] ? "yes" : "" }, relevance));
}

async function drawList() {
  const mine = ++asked;
  const listed = await get(`/api/compare/pages?${pair}&which=${which}&page=${page}`);
  if (mine !== asked) return;
  const rows = listed.rows.map((row) => {
    const at = row.visits[0] === null ? 1 : 0;
    return element("tr", {}, element("td", {}, element("a", { class: "clip", dir: "auto", title: row.url, href: `${found.sides[at].path}pages/${row.visits[at]}` }, row.title || row.url)), element("td", { class: "muted" }, row.host), cell(row, 0), cell(row, 1));
  });
  if (!rows.length) rows.push(element("tr", {}, element("td", { colspan: 4, class: "muted" }, "No such page.")));
  byId("list").replaceChildren(...rows);
  byId("list-count").textContent = `${thousands(listed.total)} pages, page ${thousands(listed.page)} of ${thousands(listed.pages)}`;
  byId("previous").disabled = page <= 1;
  byId("next").disabled = page >= listed.pages;
}
for (const button of document.querySelectorAll("[data-which]")) {
  button.addEventListener("click", () => {
    which = button.dataset.which;
    page = 1;
    for (const each of document.querySelectorAll("[data-which]")) each.setAttribute("aria-pressed", String(each === button));
    drawList();
  });
}
byId("previous").addEventListener("click", () => { page -= 1; drawList(); });
byId("next").addEventListener("click", () => { page += 1; drawList(); });

async function load() {
  found = await get(`/api/compare?${pair}`);
  drawChart();
  drawFigures();
  drawOverlap();
  drawList();
  if (found.sides.some((side) => side.read < side.total)) setTimeout(load, 3000);
}
load();
