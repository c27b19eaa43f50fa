// Label: one page at a time. The next pages are there before they are needed, and answers are sent behind the scenes.

import { api, element, get, percent, say, send, thousands } from "./api.js";

const byId = (id) => document.getElementById(id);
const AT_HAND = 4; // fewer pages than this at hand, and more are fetched

let mode = "teaches";
let queue = []; // pages to come; the first one is on the screen
let history = []; // what was done: { page, label: a promise of its number, or null if it was skipped }
let skipped = new Set();
let loading = null;
let exhausted = false;
let generation = 0; // grows when mode or annotator change, so that late answers are dropped
let shownPieces = 1;

const annotator = byId("annotator");
annotator.value = localStorage.getItem("honeyguide-annotator") || annotator.value;

// Fetching

function handled() {
  return [...queue.map((page) => page.visit), ...skipped, ...history.slice(-100).map((done) => done.page.visit)];
}

function load() {
  if (loading || exhausted || queue.length >= AT_HAND) return loading;
  const asked = generation;
  const query = new URLSearchParams({ mode, annotator: annotator.value, count: 6 });
  for (const visit of handled().slice(-400)) query.append("skip", visit);
  loading = get(`${api}/label/next?${query}`)
    .then((pages) => {
      if (asked !== generation) return;
      exhausted = pages.length === 0;
      const known = new Set(handled());
      queue.push(...pages.filter((page) => !known.has(page.visit)));
      show();
    })
    .catch(() => (exhausted = true))
    .finally(() => {
      loading = null;
      if (asked !== generation) load();
      else if (queue.length < AT_HAND && !exhausted) load();
      else show();
    });
  return loading;
}

function restart() {
  generation += 1;
  queue = [];
  exhausted = false;
  skipped = new Set();
  show();
  load();
}

// Showing

function spans(parts) {
  return parts.map((part) => (part.marked ? element("mark", {}, part.text) : part.text));
}

let onScreen = null;
function show() {
  const page = queue[0];
  byId("shown").hidden = !page;
  byId("waiting").hidden = Boolean(page) || !loading;
  byId("nothing").hidden = Boolean(page) || Boolean(loading);
  for (const id of ["yes", "no", "unsure", "skip"]) byId(id).disabled = !page;
  byId("undo").disabled = history.length === 0;
  if (!page) {
    onScreen = null;
    byId("nothing-title").textContent =
      mode === "check" && !sampleDrawn ? "No sample is drawn yet" : "No page is left to label";
    byId("nothing-text").textContent =
      mode === "check"
        ? sampleDrawn
          ? "You have labelled the whole sample. What it says is on the right; another sample can be drawn there."
          : "Draw a sample on the right; 385 pages say how good the crawl is to within five points."
        : "There is no page that you have not labelled. Another name may label them too, or the crawl can bring more.";
    return;
  }
  if (page === onScreen) return;
  onScreen = page;
  shownPieces = 1;
  byId("title").replaceChildren(...(page.title.length ? spans(page.title) : ["(no title)"]));
  byId("address").textContent = page.url;
  byId("address").title = page.url;
  byId("facts").textContent = [page.language, `${thousands(page.words)} words`].filter(Boolean).join(" · ");
  byId("text").replaceChildren(...(page.pieces.length ? spans(page.pieces[0]) : ["(no text)"]));
  byId("more").hidden = page.pieces.length < 2;
  byId("page").scrollTop = 0;
}

function more() {
  const page = queue[0];
  const sheet = byId("page");
  if (!page) return;
  if (sheet.scrollTop + sheet.clientHeight < sheet.scrollHeight - 40) {
    sheet.scrollBy({ top: sheet.clientHeight * 0.85 });
    return;
  }
  if (shownPieces >= page.pieces.length) return;
  byId("text").append("\n", ...spans(page.pieces[shownPieces]));
  shownPieces += 1;
  byId("more").hidden = shownPieces >= page.pieces.length;
}

// Answering

function press(id) {
  const button = byId(id);
  button.classList.add("pressed");
  setTimeout(() => button.classList.remove("pressed"), 160);
}

function answer(id, relevant) {
  const page = queue.shift();
  if (!page) return;
  press(id);
  const label = send("POST", `${api}/labels`, { visit: page.visit, relevant, annotator: annotator.value });
  const done = { page, label };
  history.push(done);
  label.then(changed).catch(() => {
    // It was not written: the page comes back.
    history = history.filter((other) => other !== done);
    queue.unshift(page);
    show();
  });
  show();
  load();
}

function skip() {
  const page = queue.shift();
  if (!page) return;
  press("skip");
  skipped.add(page.visit);
  history.push({ page, label: null });
  show();
  load();
}

async function undo() {
  const done = history.pop();
  if (!done) return;
  press("undo");
  skipped.delete(done.page.visit);
  queue.unshift(done.page);
  show();
  if (!done.label) return;
  try {
    const { number } = await done.label;
    await send("DELETE", `${api}/labels/${number}`);
    changed();
  } catch {
    // What went wrong was said already.
  }
}

byId("yes").addEventListener("click", () => answer("yes", true));
byId("no").addEventListener("click", () => answer("no", false));
byId("unsure").addEventListener("click", () => answer("unsure", null));
byId("skip").addEventListener("click", skip);
byId("undo").addEventListener("click", undo);
byId("more").addEventListener("click", more);

const KEYS = {
  y: () => answer("yes", true),
  n: () => answer("no", false),
  u: () => answer("unsure", null),
  s: skip,
  b: undo,
  backspace: undo,
  " ": more,
};
document.addEventListener("keydown", (event) => {
  const target = event.target;
  const typing = /^(textarea|select)$/i.test(target.tagName) || (target.tagName === "INPUT" && target.type !== "radio" && target.type !== "checkbox");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === " " && (/^(button|input)$/i.test(target.tagName))) return;
  const act = KEYS[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
});

for (const radio of document.querySelectorAll("input[name=mode]")) {
  radio.addEventListener("change", () => {
    mode = radio.value;
    byId("check").hidden = mode !== "check";
    radio.blur();
    if (mode === "check") readCheck();
    restart();
  });
}
annotator.addEventListener("change", () => {
  annotator.value = annotator.value.trim() || "me";
  localStorage.setItem("honeyguide-annotator", annotator.value);
  history = [];
  restart();
});

// What has come of it

let watchUntil = 0;
let watching = 0;

function changed() {
  watchUntil = Date.now() + 60000;
  readLabels();
  if (mode === "check") readCheck();
  clearTimeout(watching);
  watching = setTimeout(watch, 300);
}

function row(...cells) {
  return element("tr", {}, ...cells.map((cell, at) => element("td", { class: at ? "numeric" : "" }, String(cell))));
}

function table(heads, rows) {
  const head = element("tr", {}, ...heads.map((text, at) => element("th", { class: at ? "numeric" : "" }, text)));
  return element("table", { class: "table" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

function agreementLines(pairs) {
  return pairs.map((pair) => {
    const kappa = pair.kappa === null ? "" : `, kappa ${pair.kappa.toFixed(2)}`;
    return element("p", { class: "small" }, `${pair.first} and ${pair.second} agree on ${percent(pair.raw, 0)} of ${thousands(pair.pages)} ${pair.pages === 1 ? "page" : "pages"}${kappa}.`);
  });
}

// Answers may overtake each other; only that to the last asking is shown.
function newest(path, showIt) {
  let last = 0;
  return async () => {
    const mine = ++last;
    const answer = await get(`${api}/${path}`);
    if (mine === last) showIt(answer);
  };
}

const readLabels = newest("labels", showLabels);
function showLabels(labels) {
  if (!labels.annotators.length) {
    byId("labels").replaceChildren(element("p", { class: "small muted" }, "None yet."));
    return;
  }
  byId("labels").replaceChildren(
    element("p", { class: "small" }, `${thousands(labels.on)} ${labels.on === 1 ? "page" : "pages"} on topic, ${thousands(labels.off)} off topic.`),
    table(["Who", "On", "Off", "Unsure"], labels.annotators.map((one) => row(one.who, thousands(one.on), thousands(one.off), thousands(one.unsure)))),
    ...agreementLines(labels.agreements),
  );
}

function shareLine(name, share) {
  if (!share) return row(name, "–", "");
  return row(name, percent(share.value), `${percent(share.low, 0)} to ${percent(share.high, 0)}`);
}

let sampleDrawn = byId("draw").textContent.includes("new");
const readCheck = newest("hand-check", showCheck);
function showCheck(check) {
  sampleDrawn = Boolean(check);
  if (!check) return;
  byId("draw").textContent = "Draw a new sample";
  const mine = check.labelled[annotator.value] || 0;
  const parts = [
    element("p", { class: "small" }, `You have labelled ${thousands(mine)} of ${thousands(check.drawn)} pages, drawn from ${thousands(check.population)}${check.only_relevant ? " judged on topic" : ""}.`),
    element("progress", { class: "meter check-bar", max: check.drawn, value: mine, "aria-label": "labelled" }),
  ];
  if (check.on_topic) {
    parts.push(
      table(["", "Share", "95 % interval"], [
        shareLine("On topic, say people", check.on_topic),
        shareLine("Precision of the judge", check.precision),
        shareLine("Recall of the judge", check.recall),
      ]),
      ...agreementLines([...(check.judge_agreement ? [check.judge_agreement] : []), ...check.agreements]),
    );
  }
  byId("check-figures").replaceChildren(...parts);
}
byId("draw").addEventListener("click", async () => {
  if (!byId("size").reportValidity()) return;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const body = { size: Number(byId("size").value) || 385, only_relevant: byId("only-relevant").checked, seed };
  showCheck(await send("POST", `${api}/hand-check`, body));
  say("A sample is drawn.", "good");
  restart();
});

function harvest(before, after) {
  if (before === null || after === null) return null;
  const line = element("p", { class: "big" }, before.toFixed(2), element("span", { class: "arrow" }, " → "), after.toFixed(2));
  line.append(element("span", { class: "small muted" }, " harvest estimate"));
  return line;
}

let lastLesson = null;
let known = null;
async function watch() {
  clearTimeout(watching);
  let state;
  try {
    state = await get(`${api}/learning`, { quiet: true });
  } catch {
    watching = setTimeout(watch, 10000);
    return;
  }
  const parts = [];
  const lesson = state.lessons[state.lessons.length - 1];
  if (state.estimate) {
    // While newer labels are tried out, what the ones before came to stays on the screen.
    if (state.estimate.after !== null || state.estimate.stage !== "running") known = state.estimate;
    const told = known ?? state.estimate;
    parts.push(harvest(told.before, told.after), element("p", { class: "small" }, told.sentence));
    if (state.estimate.stage === "running") {
      parts.push(element("progress", { class: "meter check-bar", max: Math.max(1, state.estimate.total), value: state.estimate.done, "aria-label": "progress" }));
    }
  } else if (lesson) {
    parts.push(harvest(lesson.harvest_before, lesson.harvest_after), element("p", { class: "small" }, lesson.sentence));
    if (lastLesson !== null && lesson.at !== lastLesson) say(`The crawl has learned. ${lesson.sentence}`, "good");
  }
  if (lesson) lastLesson = lesson.at;
  else lastLesson = 0;
  if (state.running && Date.now() < watchUntil) parts.push(element("p", { class: "small muted" }, "The crawl is running and learns from new labels as it goes."));
  if (parts.length) byId("learning").replaceChildren(...parts.filter(Boolean));
  if (state.running && exhausted && !queue.length && mode !== "check") {
    exhausted = false; // the crawl may have brought more
    load();
  }
  const busy = state.estimate?.stage === "running";
  watching = setTimeout(watch, document.hidden ? 15000 : busy ? 800 : Date.now() < watchUntil ? 2000 : 15000);
}

load();
show();
readLabels();
watch();
byId("page").focus();
