// The map: nodes and links on a canvas that can be moved and zoomed, and the same as a table.

import { api, element, get, here, percent, thousands } from "./api.js";

const card = document.querySelector(".map-card");
const canvas = document.getElementById("map");
const brush = canvas.getContext("2d");
const state = document.getElementById("state");
const chosenCard = document.getElementById("chosen");
const rows = document.getElementById("rows");
const around = card.dataset.around;
const most = Number(card.dataset.most);
const title = state.textContent;
const wish = new URLSearchParams(location.search);
let count = Math.min(most, Math.max(1, Number(wish.get("count")) || Number(card.dataset.usual)));
let hops = wish.get("hops") === "2" ? 2 : 1;
let graph = { nodes: [], links: [] };
let neighbours = [];
let view = { x: 0, y: 0, scale: 1 };
let hovered = -1;
let chosen = -1;
let drawn = 0;
let colours = {};

// Places: the picture is [-1, 1] x [-1, 1]; `unit` is how many pixels 1 is when everything is shown.
const unit = () => 0.45 * Math.min(canvas.clientWidth, canvas.clientHeight);
const stretch = () => Math.min(1.8, Math.max(1, (0.88 * canvas.clientWidth) / canvas.clientHeight));
const place = (node) => [
  canvas.clientWidth / 2 + (node.x * stretch() - view.x) * unit() * view.scale,
  canvas.clientHeight / 2 + (node.y - view.y) * unit() * view.scale,
];
const radius = (node) => Math.max(3, node.r * unit() * Math.sqrt(view.scale));

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(name).trim();
  colours = { ink: named("--ink"), soft: named("--soft"), line: named("--line"), card: named("--card"), cold: named("--other"), warm: named("--honey") };
}

function channels(colour) {
  const hex = colour.replace("#", "");
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function warmth(share) {
  if (share === null) return colours.line;
  const [cold, warm] = [channels(colours.cold), channels(colours.warm)];
  return `rgb(${cold.map((value, at) => Math.round(value + (warm[at] - value) * share)).join(" ")})`;
}

function paint() {
  drawn = 0;
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, width, height);
  const places = graph.nodes.map(place);
  const focus = hovered >= 0 ? hovered : chosen;
  const close = focus >= 0 ? neighbours[focus] : null;
  for (const [source, target, weight] of graph.links) {
    const touches = source === focus || target === focus;
    brush.strokeStyle = touches ? colours.warm : colours.soft;
    brush.globalAlpha = touches ? 0.9 : focus >= 0 ? 0.07 : 0.18;
    brush.lineWidth = Math.min(4, 0.6 + Math.log1p(weight) / 2.5);
    brush.beginPath();
    brush.moveTo(...places[source]);
    brush.lineTo(...places[target]);
    brush.stroke();
  }
  graph.nodes.forEach((node, number) => {
    brush.globalAlpha = focus >= 0 && number !== focus && !close.has(number) ? 0.3 : 1;
    brush.beginPath();
    brush.arc(...places[number], radius(node), 0, 2 * Math.PI);
    brush.fillStyle = warmth(node.share);
    brush.fill();
    brush.lineWidth = number === chosen || (around && number === 0) ? 3 : 1;
    brush.strokeStyle = number === chosen || (around && number === 0) ? colours.ink : colours.card;
    brush.stroke();
  });
  brush.globalAlpha = 1;
  label(places, focus, close);
}

/** Names for the nodes that matter most, as many as have room; the one pointed at always has. */
function label(places, focus, close) {
  brush.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  brush.textBaseline = "middle";
  const taken = graph.nodes.map((node, number) => {
    const [[x, y], r] = [places[number], radius(node)];
    return [x - r, y - r, x + r, y + r];
  });
  let named = 0;
  const order = [...graph.nodes.keys()].sort((a, b) => (b === focus) - (a === focus) || graph.nodes[b].r - graph.nodes[a].r || a - b);
  for (const number of order) {
    if (focus >= 0 && number !== focus && !close.has(number)) continue;
    const node = graph.nodes[number];
    const said = node.label.length > 34 && number !== focus ? node.label.slice(0, 33) + "…" : node.label;
    const width = brush.measureText(said).width;
    const [right, y] = [places[number][0] + radius(node) + 4, places[number][1]];
    const x = right + width < canvas.clientWidth - 4 ? right : right - width - 2 * radius(node) - 8;
    const box = [x - 2, y - 8, x + width + 2, y + 8];
    if (box[2] < 0 || box[0] > canvas.clientWidth || box[3] < 0 || box[1] > canvas.clientHeight) continue;
    const free = taken.every((other) => box[2] < other[0] || other[2] < box[0] || box[3] < other[1] || other[3] < box[1]);
    if (!free && number !== focus && !(around && number === 0)) continue;
    taken.push(box);
    brush.strokeStyle = colours.card;
    brush.lineWidth = 3.5;
    brush.lineJoin = "round";
    brush.strokeText(said, x, y);
    brush.fillStyle = number === focus ? colours.ink : colours.soft;
    brush.fillText(said, x, y);
    if (++named > 90) break;
  }
}

const redraw = () => (drawn ||= requestAnimationFrame(paint));

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(40, Math.max(0.4, view.scale * factor));
  const [dx, dy] = [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
  view.x += (dx / unit()) * (1 / view.scale - 1 / scale);
  view.y += (dy / unit()) * (1 / view.scale - 1 / scale);
  view.scale = scale;
  redraw();
}

function move(dx, dy) {
  view.x -= dx / unit() / view.scale;
  view.y -= dy / unit() / view.scale;
  redraw();
}

function fit() {
  view = { x: 0, y: 0, scale: 1 };
  redraw();
}

function nodeAt(x, y) {
  let best = -1;
  let nearest = Infinity;
  graph.nodes.forEach((node, number) => {
    const [px, py] = place(node);
    const away = Math.hypot(px - x, py - y) - radius(node);
    if (away < 5 && away < nearest) [best, nearest] = [number, away];
  });
  return best;
}

// Pointers: one moves, two zoom, one that does not move chooses.
const pointers = new Map();
let wandered = 0;
const at = (event) => [event.offsetX, event.offsetY];
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, at(event));
  if (pointers.size === 1) wandered = 0;
});
canvas.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  const now = at(event);
  if (!before) {
    const over = nodeAt(...now);
    if (over !== hovered) {
      hovered = over;
      canvas.classList.toggle("over", over >= 0);
      redraw();
    }
    return;
  }
  const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, where]) => where);
  wandered += Math.hypot(now[0] - before[0], now[1] - before[1]);
  canvas.classList.add("moving");
  if (others.length === 1) {
    const [other] = others;
    const span = (where) => Math.max(10, Math.hypot(where[0] - other[0], where[1] - other[1]));
    zoom(span(now) / span(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  } else if (!others.length) move(now[0] - before[0], now[1] - before[1]);
  pointers.set(event.pointerId, now);
});
function lift(event) {
  const known = pointers.delete(event.pointerId);
  canvas.classList.remove("moving");
  if (known && event.type === "pointerup" && wandered < 5 && !pointers.size) choose(nodeAt(...at(event)));
}
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("pointerleave", () => {
  if (hovered >= 0) [hovered] = [-1, redraw()];
});
canvas.addEventListener("dblclick", (event) => {
  const node = nodeAt(...at(event));
  if (node >= 0) location.assign(address(graph.nodes[node]));
});
canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
  },
  { passive: false },
);
canvas.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (event.key in steps) move(...steps[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(1.3);
  else if (event.key === "-") zoom(1 / 1.3);
  else if (event.key === "0") fit();
  else if (event.key === "Escape") choose(-1);
  else if (event.key === "Enter" && chosen >= 0) location.assign(address(graph.nodes[chosen]));
  else return;
  event.preventDefault();
});
document.getElementById("in").addEventListener("click", () => zoom(1.4));
document.getElementById("out").addEventListener("click", () => zoom(1 / 1.4));
document.getElementById("fit").addEventListener("click", fit);

// What a node is, in words
const address = (node) => (around ? `${here}pages/${node.key}` : `${here}pages?host=${encodeURIComponent(node.key)}`);

function strongest(number) {
  return graph.links
    .filter(([source, target]) => source === number || target === number)
    .sort((a, b) => b[2] - a[2])
    .map(([source, target, weight]) => ({ out: source === number, other: source === number ? target : source, weight }));
}

function choose(number) {
  chosen = number;
  chosenCard.hidden = number < 0;
  if (number >= 0) {
    const node = graph.nodes[number];
    const facts = around
      ? [node.share === null ? "not judged" : `relevance ${node.share.toFixed(2)}`, node.relevant ? "on topic" : "off topic"]
      : [`${thousands(node.pages)} pages`, `${thousands(node.relevant)} on topic`, node.share === null ? "" : percent(node.share, 0)];
    const links = strongest(number).slice(0, 8);
    const items = links.map(({ out, other, weight }) =>
      element("li", {}, out ? "to " : "from ", element("bdi", {}, graph.nodes[other].label), weight > 1 ? `, ${thousands(weight)} links` : ""),
    );
    const close = element("button", { class: "button quiet close", type: "button", "aria-label": "Close", onclick: () => choose(-1) }, "×");
    const open = element("a", { class: "button", href: address(node) }, around ? "Open the page" : "Open its pages");
    const next = around && number ? element("a", { class: "button quiet", href: `${here}map?around=${node.key}` }, "Map around it") : null;
    chosenCard.replaceChildren(
      close,
      element("h2", {}, element("bdi", {}, node.label)),
      element("p", { class: "muted" }, facts.filter(Boolean).join(", ")),
      items.length ? element("ul", { class: "small" }, ...items) : element("p", { class: "small muted" }, "No links to others that are shown."),
      element("div", { class: "toolbar" }, ...[open, next].filter(Boolean)),
    );
  }
  redraw();
}

function meter(share, on) {
  if (share === null) return "";
  return element("span", {}, element("progress", { class: on ? "meter on" : "meter", max: 1, value: share, "aria-hidden": "true" }), ` ${share.toFixed(2)}`);
}

function tabulate() {
  rows.replaceChildren(
    ...graph.nodes.map((node, number) => {
      const leads = graph.links.filter(([source]) => source === number).sort((a, b) => b[2] - a[2]).slice(0, 4);
      const names = leads.map(([, target]) => graph.nodes[target].label).join(", ");
      const link = element("td", {}, element("a", { href: address(node) }, element("bdi", {}, node.label)));
      const figures = around
        ? [element("td", { class: "numeric" }, String(node.hops)), element("td", {}, meter(node.share, node.relevant))]
        : [
            element("td", { class: "numeric" }, thousands(node.pages)),
            element("td", { class: "numeric" }, thousands(node.relevant)),
            element("td", {}, meter(node.share, node.share >= 0.5)),
            element("td", { class: "numeric" }, thousands(node.failures)),
          ];
      return element("tr", {}, link, ...figures, element("td", { class: "small muted" }, element("bdi", {}, names)));
    }),
  );
}

function tell() {
  const doing = graph.read < graph.total ? `Reading the crawl: ${thousands(graph.read)} of ${thousands(graph.total)}.` : "Counting links …";
  const reading = graph.ready ? "" : ` ${doing}`;
  const shown = thousands(graph.nodes.length);
  if (!graph.nodes.length) state.textContent = "Nothing was visited yet; hosts appear here as soon as the crawl visits them.";
  else if (around) state.textContent = `${title}: ${shown} of ${thousands(graph.of)} pages.${reading}`;
  else state.textContent = `${shown} of ${thousands(graph.of)} hosts, those with most on topic.${reading}`;
}

async function load() {
  const path = around ? `map/pages/${around}?hops=${hops}` : `map/hosts?count=${count}`;
  const found = await get(`${api}/${path}`);
  const keep = chosen >= 0 ? graph.nodes[chosen].key : null;
  graph = found;
  neighbours = graph.nodes.map(() => new Set());
  for (const [source, target] of graph.links) neighbours[source].add(target), neighbours[target].add(source);
  hovered = -1;
  choose(keep === null ? -1 : graph.nodes.findIndex((node) => node.key === keep));
  tabulate();
  tell();
  canvas.dataset.nodes = graph.nodes.length;
  canvas.dataset.links = graph.links.length;
  const names = document.getElementById("names");
  names?.replaceChildren(...graph.nodes.map((node) => element("option", { value: node.label })));
  const more = document.getElementById("more");
  if (more) {
    more.disabled = graph.nodes.length >= graph.of || count >= most;
    document.getElementById("fewer").disabled = count <= 30;
  }
  if (!graph.ready) setTimeout(load, 2000);
}

function ask(change) {
  change();
  const said = new URLSearchParams(location.search);
  if (around) said.set("hops", hops);
  else said.set("count", count);
  history.replaceState(null, "", `?${said}`);
  load();
}
document.getElementById("more")?.addEventListener("click", () => ask(() => (count = Math.min(most, 2 * count))));
document.getElementById("fewer")?.addEventListener("click", () => ask(() => (count = Math.max(30, count >> 1))));
const hopsButton = document.getElementById("hops");
hopsButton?.setAttribute("aria-pressed", hops === 2);
hopsButton?.addEventListener("click", () =>
  ask(() => {
    hops = hops === 1 ? 2 : 1;
    hopsButton.setAttribute("aria-pressed", hops === 2);
  }),
);
document.getElementById("find")?.addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  const found = wanted ? graph.nodes.findIndex((node) => node.label.includes(wanted)) : -1;
  choose(found);
  if (found >= 0) {
    view = { x: graph.nodes[found].x * stretch(), y: graph.nodes[found].y, scale: Math.max(2, view.scale) };
    redraw();
  }
});

readColours();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (readColours(), redraw()));
new ResizeObserver(redraw).observe(canvas);
load();
