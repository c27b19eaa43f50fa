// One page: its tabs, its links when they come, labels, and words that light up with their reason.

import { api, element, get, here, say, send, thousands } from "./api.js";

// Tabs
for (const strip of document.querySelectorAll('[role="tablist"]')) {
  const tabs = [...strip.querySelectorAll('[role="tab"]')];
  const choose = (tab) => {
    for (const one of tabs) {
      const chosen = one === tab;
      one.setAttribute("aria-selected", chosen);
      one.tabIndex = chosen ? 0 : -1;
      document.getElementById(one.getAttribute("aria-controls")).hidden = !chosen;
    }
    const frame = document.querySelector(`#${tab.getAttribute("aria-controls")} iframe[data-src]`);
    if (frame && !frame.src) frame.src = frame.dataset.src;
  };
  strip.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab && !tab.disabled) choose(tab);
  });
  strip.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const usable = tabs.filter((tab) => !tab.disabled);
    const next = usable[(usable.indexOf(document.activeElement) + by + usable.length) % usable.length];
    choose(next);
    next.focus();
  });
}

// Back to the table as it was left
try {
  const left = sessionStorage.getItem("table") || "";
  if (left.startsWith(`${here}pages?`)) document.getElementById("back").href = left;
} catch {
  // Without storage it goes back to the whole table.
}

document.getElementById("copy").addEventListener("click", async (event) => {
  try {
    await navigator.clipboard.writeText(event.currentTarget.dataset.url);
    say("The address is copied.", "good");
  } catch {
    say(event.target.dataset.url);
  }
});

// Reasons and the words they name
const marks = [...document.querySelectorAll("mark[data-reason]")];
for (const row of document.querySelectorAll(".reasons tr")) {
  const mine = marks.filter((mark) => mark.dataset.reason === row.dataset.reason);
  const light = (on) => () => mine.forEach((mark) => mark.classList.toggle("lit", on));
  row.addEventListener("mouseenter", light(true));
  row.addEventListener("mouseleave", light(false));
  row.addEventListener("focus", light(true));
  row.addEventListener("blur", light(false));
  row.addEventListener("click", () => mine[0]?.scrollIntoView({ block: "center", behavior: "smooth" }));
}

// Labels
const labelling = document.getElementById("labelling");
const visit = Number(labelling.dataset.visit);
const annotator = document.getElementById("annotator");
const labels = document.getElementById("labels");
const undo = document.getElementById("undo");
const words = { true: "on topic", false: "off topic", null: "unsure" };
let written = null;
try {
  annotator.value = localStorage.getItem("annotator") || annotator.value;
} catch {
  // Without storage the name has to be typed again, no more.
}

labelling.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-relevant]");
  if (!button) return;
  const name = annotator.value.trim();
  if (!name) return say("Say who you are, so that several people can label.", "bad");
  const relevant = JSON.parse(button.dataset.relevant);
  written = await send("POST", `${api}/labels`, { visit, relevant, annotator: name });
  try {
    localStorage.setItem("annotator", name);
  } catch {
    // As above.
  }
  for (const other of labelling.querySelectorAll("[data-relevant]")) other.setAttribute("aria-pressed", other === button);
  for (const item of [...labels.children]) if (item.dataset.annotator === name) item.remove();
  const said = element("span", { class: "muted" }, "said ", element("bdi", {}, name), " just now");
  labels.append(element("li", { "data-annotator": name }, element("strong", {}, words[relevant]), " ", said));
  undo.hidden = false;
  say(`Written down: ${words[relevant]}.`, "good");
});

undo.addEventListener("click", async () => {
  await send("DELETE", `${api}/labels/${written.number}`);
  labels.lastElementChild?.remove();
  for (const other of labelling.querySelectorAll("[data-relevant]")) other.removeAttribute("aria-pressed");
  undo.hidden = true;
  say("Taken back.");
});

// Links
const state = document.getElementById("links-state");

function relevance(link) {
  if (link.relevance === null) return "";
  const kind = link.relevant ? "meter on" : "meter";
  const meter = element("progress", { class: kind, max: 1, value: link.relevance, "aria-hidden": "true" });
  const topic = link.relevant ? element("span", { class: "visually-hidden" }, " on topic") : "";
  return element("span", {}, meter, ` ${link.relevance.toFixed(2)}`, topic);
}

function target(link, label) {
  const name = element("bdi", {}, label || link.url || "an address that is not read yet");
  const first = link.visit === null ? name : element("a", { href: `${here}pages/${link.visit}` }, name);
  return element("td", {}, first, element("div", { class: "muted small clip" }, element("bdi", {}, link.url)));
}

function score(link) {
  if (link.score === null) return "";
  if (link.seed) return "seed";
  return link.score >= 1e9 ? "again" : link.score.toFixed(3);
}

function stateOf(link) {
  const kinds = { visited: "", waiting: "accent", refused: "bad" };
  const said = link.error || link.state;
  return element("span", { class: `chip ${link.error ? "bad" : kinds[link.state] ?? ""}`, title: link.reason }, said);
}

function showLinks(found) {
  document.getElementById("links-out").replaceChildren(
    ...found.links_out.map((link) =>
      element(
        "tr",
        {},
        target(link, link.anchor),
        element("td", {}, stateOf(link)),
        element("td", { class: "numeric" }, score(link)),
        element("td", {}, relevance(link)),
      ),
    ),
  );
  document.getElementById("links-in").replaceChildren(
    ...found.links_in.map((link) =>
      element(
        "tr",
        {},
        target(link, link.title),
        element("td", {}, element("bdi", {}, link.anchor)),
        element("td", {}, relevance(link)),
      ),
    ),
  );
  document.getElementById("count-out").textContent = thousands(found.count_out);
  document.getElementById("count-in").textContent = thousands(found.count_in) + (found.more_in ? "+" : "");
  document.querySelector("#panel-out table").hidden = !found.links_out.length;
  document.querySelector("#panel-in table").hidden = !found.links_in.length;
  const sentences = [];
  if (found.read < found.total) {
    sentences.push(`Reading the links of the crawl: ${thousands(found.read)} of ${thousands(found.total)}.`);
    setTimeout(load, 1500);
  }
  if (found.links_out.length < found.count_out) sentences.push(`The first ${found.links_out.length} links from this page are shown.`);
  if (found.links_in.length < found.count_in) sentences.push(`The first ${found.links_in.length} links to this page are shown.`);
  if (!found.count_out && !found.count_in && found.read >= found.total) sentences.push("No visited page links here, and this one links nowhere.");
  state.textContent = sentences.join(" ");
}

async function load() {
  try {
    showLinks(await get(`${api}/pages/${visit}/links`));
  } catch {
    state.textContent = "The links cannot be read just now.";
  }
}
load();
