// The overview, kept up to date by the stream of events while it is looked at.

import { api, element, get, here, percent, say, send, thousands } from "./api.js";

const by = (id) => document.getElementById(id);
const HEALTHY = ["running"];
let newest = null;

/* Words */

function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
}

function size(count) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let step = 0;
  while (count >= 1000 && step < units.length - 1) {
    count /= 1000;
    step += 1;
  }
  return `${step ? count.toFixed(1) : count} ${units[step]}`;
}

const counted = (number, one, many) => `${thousands(number)} ${number === 1 ? one : many}`;
const short = (number) => (Math.abs(number) >= 1000 ? thousands(number) : Number(number.toPrecision(2)).toString());

function clock(at) {
  const date = new Date(at * 1000);
  const today = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return element("time", { datetime: date.toISOString() }, today ? time : `${date.toLocaleDateString("en-GB")} ${time}`);
}

/** Changes a text only when it is another one, so that a screen reader is not told the same again. */
function put(id, text) {
  const place = by(id);
  if (place.textContent !== text) place.textContent = text;
}

/* Figures */

function showFigures(now) {
  const chip = by("health");
  put("health", now.health);
  chip.className = `chip ${HEALTHY.includes(now.health) ? "good" : now.paused ? "accent" : ""}`;
  put("sentence", now.sentence);
  put("pages", thousands(now.pages));
  put("pages-more", `${counted(now.visits, "visit", "visits")}, ${counted(now.host_count, "host", "hosts")}`);
  put("relevant", thousands(now.relevant));
  put("relevant-more", now.duplicates ? counted(now.duplicates, "duplicate", "duplicates") : "no duplicates");
  put("harvest", percent(now.harvest));
  put("harvest-more", now.pages ? `${percent(now.recent_harvest)} of the last ${thousands(Math.min(now.window, now.pages))}` : "no pages yet");
  put("waiting", now.queue ? thousands(now.queue.waiting) : "–");
  put("waiting-more", now.queue ? `${thousands(now.queue.refused)} never queued` : "being counted");
  put("speed", now.speed ? `${now.speed < 10 ? now.speed.toFixed(1) : thousands(now.speed)} /s` : "–");
  put("speed-more", `${size(now.bytes)} in ${duration(now.seconds)}`);
  showBudget(now);
  const reading = by("reading");
  reading.hidden = now.read >= now.total;
  if (!reading.hidden) reading.textContent = `Reading ${thousands(now.read)} of ${thousands(now.total)} visits; the curve and the tables grow as they are read.`;
}

const UNITS = { pages: "pages", relevant: "on topic", seconds: "", bytes: "" };

function amount(part, count) {
  if (part === "seconds") return duration(count);
  return part === "bytes" ? size(count) : thousands(count);
}

function showBudget(now) {
  const parts = [...now.budget].sort((one, other) => one.left / one.limit - other.left / other.limit);
  if (!parts.length) {
    put("left", "no limit");
    put("left-more", "\u00a0");
    return;
  }
  const next = parts[0];
  put("left", amount(next.part, next.left));
  const of = `of ${amount(next.part, next.limit)} ${UNITS[next.part]}`.trim();
  put("left-more", now.seconds_left !== null && next.part === "pages" ? `${of}, about ${duration(now.seconds_left)}` : of);
}

function showButtons(now) {
  const steering = by("steering");
  const show = (selector, shown) => (steering.querySelector(selector).hidden = !shown);
  show("[data-ask=pause]", now.running && !now.paused);
  show("[data-ask=resume]", now.running && now.paused);
  show("[data-ask=stop]", now.running);
  show("#start", !now.running);
  put("start", now.visits ? "Start again" : "Start");
  for (const button of steering.querySelectorAll("[data-ask]")) button.disabled = now.pausing !== "";
}

/* Tables: rows are kept by their key, so that what is focused or selected stays */

function fill(id, rows, keyOf, cells) {
  const body = by(id).tagName === "TABLE" ? by(id).tBodies[0] : by(id);
  const known = new Map([...body.children].map((row) => [row.dataset.key, row]));
  const wanted = rows.map((row) => {
    const key = String(keyOf(row));
    const made = cells(row, known.get(key));
    made.dataset.key = key;
    known.delete(key);
    return made;
  });
  for (const gone of known.values()) gone.remove();
  wanted.forEach((row, place) => {
    if (body.children[place] !== row) body.insertBefore(row, body.children[place] || null);
  });
  const empty = document.querySelector(`[data-empty="${id}"]`);
  if (empty) empty.hidden = rows.length > 0;
}

function row(old, values) {
  const made = old || element("tr", {}, ...values.map((_, place) => element("td", { class: place ? "numeric" : "clip" })));
  values.forEach((value, place) => {
    const cell = made.children[place];
    if (typeof value !== "string") {
      if (cell.firstChild !== value) cell.replaceChildren(value);
    } else if (cell.textContent !== value) cell.textContent = value;
  });
  return made;
}

const pagesWith = (filter, text) => element("a", { class: "plain", href: `${here}pages?${new URLSearchParams(filter)}` }, text);

function hostRow(host, old) {
  const made = row(old, [
    old ? old.firstChild.firstChild : pagesWith({ host: host.name }, host.name),
    thousands(host.pages),
    thousands(host.relevant),
    host.pages ? percent(host.relevant / host.pages, 0) : "–",
    thousands(host.failures),
    thousands(host.waiting),
  ].concat(old ? [] : [""]));
  made.firstChild.title = host.parked ? `${host.name}: ${host.parked}` : host.name;
  made.classList.toggle("muted", host.parked !== "");
  const last = made.lastChild;
  if (!last.firstChild) {
    last.append(element("button", { class: "button quiet", type: "button", "aria-label": `Block ${host.name}`, onclick: () => openBlock(host.name) }, "Block"));
  }
  return made;
}

function requestRow(request, old) {
  const told = request.answered !== null;
  const made = old || element("li", {}, clock(request.at), element("strong", {}, describe(request)), " ", element("span"));
  const place = made.lastChild;
  const text = told ? request.answer : "The crawl has not answered yet.";
  if (place.textContent !== text) place.textContent = text;
  place.className = request.refused ? "bad" : told ? "" : "muted";
  return made;
}

function describe(request) {
  const { urls, host, revision, ...limits } = request.arguments;
  if (request.kind === "seeds") return `Add ${counted(urls.length, "seed", "seeds")}.`;
  if (request.kind === "block") return `Block ${host}.`;
  if (request.kind === "unblock") return `Unblock ${host}.`;
  if (request.kind === "topic") return `Take up revision ${revision} of the topic.`;
  if (request.kind === "budget") {
    return `Budget: ${Object.entries(limits).map(([part, limit]) => `${thousands(limit)} ${part}`).join(", ")}.`;
  }
  return `${request.kind[0].toUpperCase()}${request.kind.slice(1)}.`;
}

function lessonRow(lesson, old) {
  if (old) return old;
  const harvest = lesson.harvest_before === null ? "" : `harvest estimate ${lesson.harvest_before.toFixed(2)} → ${lesson.harvest_after.toFixed(2)}, `;
  return element("li", {}, clock(lesson.at), `${thousands(lesson.labels_on)} on topic, ${thousands(lesson.labels_off)} off: ${harvest}${thousands(lesson.moved)} links moved.`);
}

/* Charts */

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
let chart = null;

function drawChart(curve) {
  const place = by("harvest-chart");
  if (!curve.pages.length) {
    place.textContent = "No pages yet.";
    return;
  }
  if (!chart) place.textContent = "";
  const data = [curve.pages, curve.overall, curve.recent];
  if (chart) {
    chart.setData(data);
    return;
  }
  const axis = (room) => ({ size: room, stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" });
  chart = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 6 } },
      scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.min(1, Math.max(0.1, (high || 0) * 1.1))] } },
      axes: [
        { ...axis(30), values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? thousands(tick) : "")) },
        { ...axis(48), values: (_, ticks) => ticks.map((tick) => percent(tick, 0)) },
      ],
      series: [
        {},
        { label: "since the start", stroke: colour("--other"), width: 2, points: { show: false } },
        { label: "last pages", stroke: colour("--honey"), width: 2, points: { show: false } },
      ],
    },
    data,
    place,
  );
}

function redraw() {
  if (!chart) return;
  chart.destroy();
  chart = null;
  drawChart(newest.curve);
}

function showCharts(now) {
  drawChart(now.curve);
  put("window", thousands(now.window));
  const last = now.curve.pages.length - 1;
  put("harvest-words", last < 0 ? "No pages yet." : `After ${thousands(now.curve.pages[last])} pages ${percent(now.curve.overall[last])} are on topic, and ${percent(now.curve.recent[last])} of the last ${now.window}.`);
  const queue = now.queue;
  if (!queue) return;
  const highest = Math.max(1, ...queue.bars);
  const place = by("queue-chart");
  while (place.children.length > queue.bars.length) place.lastChild.remove();
  const width = (queue.high - queue.low) / (queue.bars.length || 1);
  queue.bars.forEach((count, number) => {
    const bar = place.children[number] || place.appendChild(document.createElement("span"));
    bar.style.height = `${count ? Math.max(1.5, 100 * Math.sqrt(count / highest)) : 0}%`;
    const from = queue.low + number * width;
    bar.title = `${thousands(count)} links that score ${short(from)} to ${short(from + width)}`;
  });
  put("queue-low", queue.bars.length ? short(queue.low) : "");
  put("queue-high", queue.bars.length ? short(queue.high) : "");
  const first = queue.first ? ` ${thousands(queue.first)} come before all others.` : "";
  put("queue-words", queue.waiting ? `${thousands(queue.waiting)} links wait; the highest scores come next.${first}` : "No links wait.");
}

function show(now) {
  newest = now;
  showFigures(now);
  showButtons(now);
  showCharts(now);
  fill("hosts", now.hosts, (host) => host.name, hostRow);
  const counts = (count, old) => row(old, [count.kind || "unknown", thousands(count.count)]);
  const named = (count) => element("span", {}, pagesWith({ error: count.kind.split(" ")[0] }, count.kind), element("span", { class: "muted small" }, ` ${count.words}`));
  const errors = (count, old) => row(old, [old ? old.firstChild.firstChild : named(count), thousands(count.count)]);
  fill("errors", now.errors, (count) => count.kind, errors);
  fill("refusals", now.queue ? now.queue.refusals : [], (count) => count.kind, counts);
  fill("requests", [...now.requests].reverse(), (request) => request.number, requestRow);
  fill("lessons", [...now.lessons].reverse(), (lesson) => lesson.at, lessonRow);
}

/* The stream: open only while somebody looks, as a browser opens few of them at once */

let stream = null;
let lost = false;

function watch() {
  if (document.hidden || stream) return;
  stream = new EventSource(`${api}/events`);
  stream.addEventListener("overview", (event) => {
    if (lost) say("");
    lost = false;
    show(JSON.parse(event.data));
  });
  stream.addEventListener("error", explain);
}

/** Says why nothing comes any more; a stream that was refused is asked for again now and then. */
async function explain() {
  if (stream && stream.readyState === EventSource.CLOSED) {
    stream = null;
    setTimeout(watch, 10000);
  }
  try {
    await get(api, { quiet: lost });
  } catch {
    lost = true;
  }
}

function rest() {
  if (stream) stream.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : watch()));
window.addEventListener("pagehide", rest);
window.addEventListener("pageshow", watch);
for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", redraw);
new ResizeObserver(() => {
  const place = by("harvest-chart");
  if (chart) chart.setSize({ width: place.clientWidth, height: place.clientHeight });
}).observe(by("harvest-chart"));

/* Steering */

async function ask(body, told) {
  try {
    await send("POST", `${api}/requests`, body);
  } catch {
    return false;
  }
  say(newest && newest.running ? told : `${told} It is carried out when the crawl is started again.`, "good");
  return true;
}

const TOLD = { pause: "Asked to pause.", resume: "Asked to go on.", stop: "Asked to stop." };
for (const button of by("steering").querySelectorAll("[data-ask]")) {
  button.addEventListener("click", () => ask({ kind: button.dataset.ask }, TOLD[button.dataset.ask]));
}

by("start").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  say("Starting the crawl.");
  try {
    say((await send("POST", `${api}/start`)).sentence, "good");
  } catch {
    return;
  } finally {
    button.disabled = false;
  }
});

for (const button of document.querySelectorAll("[data-dialog]")) {
  button.addEventListener("click", () => openDialog(button.dataset.dialog));
}
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}

function openDialog(id) {
  const dialog = by(id);
  if (id === "budget-dialog" && newest) {
    for (const part of newest.budget) dialog.querySelector(`[name=${part.part}]`).placeholder = `now ${thousands(part.limit)}`;
  }
  dialog.showModal();
}

function openBlock(host) {
  by("block-dialog").querySelector("input").value = host;
  openDialog("block-dialog");
}

const ASKED = {
  budget: (form) => ({
    body: Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "").map(([part, value]) => [part, Number(value)])),
    told: "Asked to change the budget.",
  }),
  seeds: (form) => ({
    body: { urls: form.elements.urls.value.split("\n").map((line) => line.trim()).filter(Boolean) },
    told: "Asked to add the seeds.",
  }),
  block: (form) => ({ body: { host: form.elements.host.value.trim() }, told: `Asked to block ${form.elements.host.value.trim()}.` }),
};

for (const form of document.querySelectorAll("dialog form")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { body, told } = ASKED[form.dataset.ask](form);
    if (!Object.keys(body).length) {
      say("Give at least one number for the budget.", "bad");
      return;
    }
    if (await ask({ kind: form.dataset.ask, ...body }, told)) {
      form.reset();
      form.closest("dialog").close();
    }
  });
}

show(await get(api));
watch();
