// Topic: edits are gathered here, tried out on the collection, and applied as one new revision.

import { api, element, get, here, percent, say, send, thousands } from "./api.js";

const byId = (id) => document.getElementById(id);
const LISTS = ["keywords", "languages", "rules", "reject", "require"];
const clone = (value) => JSON.parse(JSON.stringify(value));

let before; // the topic as it is
let now; // the topic as it is to be

// What was changed

function meant() {
  const edit = { revision: before.revision };
  const differs = (part) => JSON.stringify(now[part]) !== JSON.stringify(before[part]);
  for (const part of [...LISTS, "vocabulary", "description"]) if (differs(part)) edit[part] = now[part];
  for (const part of ["examples", "off_topic"]) if (differs(part)) edit[part] = now[part].map(asMeant);
  if (differs("levels")) {
    edit.levels = now.levels.map((level) => ({ name: level.name, examples: level.examples.map(asMeant) }));
  }
  return edit;
}

function asMeant(example) {
  if (example.kept !== undefined) return { kept: example.kept };
  return example.text ? { text: example.text, title: example.title } : { url: example.url };
}

function touched() {
  const parts = Object.keys(meant()).length - 1;
  byId("actions").hidden = parts === 0;
  byId("changes").textContent = parts === 1 ? "1 part changed" : `${parts} parts changed`;
}

function draw() {
  for (const place of document.querySelectorAll("[data-lines]")) drawLines(place);
  drawVocabulary();
  for (const part of ["examples", "off_topic"]) {
    drawExamples(byId(part), now[part], (list) => (now[part] = list));
    byId(`${part}-count`).textContent = now[part].length ? thousands(now[part].length) : "none";
  }
  drawLevels();
  byId("description").value = now.description;
  touched();
  drawSuggestions();
}

// Lists of words

function drawLines(place) {
  const part = place.dataset.lines;
  const old = new Set(before[part]);
  const words = now[part].map((word) =>
    element(
      "span",
      { class: old.has(word) ? "word" : "word new" },
      word,
      element("button", { type: "button", "aria-label": `Remove ${word}`, onclick: () => setLines(part, now[part].filter((other) => other !== word)) }, "×"),
    ),
  );
  const input = element("input", { placeholder: place.dataset.hint, "aria-label": place.dataset.hint, maxlength: 500 });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  input.addEventListener("change", add);
  function add() {
    const word = input.value.trim().replace(/\s+/g, " ");
    if (!word || now[part].includes(word)) return;
    setLines(part, [...now[part], word]);
    document.querySelector(`[data-lines=${part}] input`).focus();
  }
  place.replaceChildren(...words, input);
}

function setLines(part, lines) {
  now[part] = lines;
  drawLines(document.querySelector(`[data-lines=${part}]`));
  touched();
}

byId("description").addEventListener("input", () => {
  now.description = byId("description").value;
  touched();
});

// Vocabulary

function drawVocabulary() {
  const old = new Map(before.vocabulary.map((term) => [term.text, term.weight]));
  const rows = now.vocabulary.map((term) => {
    const weight = element("input", { type: "number", step: "any", value: term.weight, "aria-label": `Weight of ${term.text}` });
    weight.addEventListener("change", () => {
      const value = Number(weight.value);
      if (!Number.isFinite(value)) return;
      term.weight = value;
      drawVocabulary();
      touched();
    });
    const kind = !old.has(term.text) ? "new" : old.get(term.text) !== term.weight ? "changed" : "";
    const remove = element("button", { type: "button", class: "remove", "aria-label": `Remove ${term.text}`, onclick: () => {
      now.vocabulary = now.vocabulary.filter((other) => other !== term);
      drawVocabulary();
      touched();
    } }, "×");
    return element("tr", { class: kind }, element("td", {}, term.text), element("td", { class: "numeric" }, weight), element("td", { class: "muted small" }, term.label), element("td", {}, remove));
  });
  if (!rows.length) rows.push(element("tr", {}, element("td", { colspan: 4, class: "muted" }, "None; it is grown from the examples.")));
  byId("vocabulary").replaceChildren(...rows);
}

function addTerm(text, weight) {
  if (!text || now.vocabulary.some((term) => term.text === text)) return;
  now.vocabulary = [{ text, weight, label: "" }, ...now.vocabulary];
  drawVocabulary();
  touched();
  drawSuggestions();
}

byId("add-term").addEventListener("submit", (event) => {
  event.preventDefault();
  addTerm(byId("term").value.trim().replace(/\s+/g, " "), Number(byId("weight").value));
  byId("term").value = "";
  byId("term").focus();
});

// Examples and levels

function drawExamples(place, examples, set) {
  const items = examples.map((example) => {
    const text = example.opening ?? example.text?.slice(0, 160) ?? "";
    const remove = element("button", { type: "button", class: "remove", "aria-label": `Remove ${example.title || example.url || "this example"}`, onclick: () => {
      set(examples.filter((other) => other !== example));
      draw();
    } }, "×");
    return element(
      "li",
      { class: example.kept === undefined ? "example new" : "example" },
      element("div", {}, element("strong", { dir: "auto" }, example.title || example.url || "Pasted text"), element("div", { class: "small muted", dir: "auto" }, text || example.url)),
      remove,
    );
  });
  place.replaceChildren(...items);
}

function drawLevels() {
  const parts = now.levels.map((level, at) => {
    const list = element("ul", { class: "examples" });
    drawExamples(list, level.examples, (examples) => (level.examples = examples));
    const remove = element("button", { type: "button", class: "mini", onclick: () => {
      now.levels = now.levels.filter((other) => other !== level);
      draw();
    } }, "Remove level");
    const add = element("button", { type: "button", class: "mini", onclick: () => ask((example) => level.examples.push(example)) }, "Add an example");
    const place = at === 0 ? "the topic itself" : `${at} above`;
    return element("div", { class: "level" }, element("h3", {}, level.name, element("span", { class: "muted small" }, ` ${place}, ${thousands(level.examples.length)} examples`)), list, element("div", { class: "buttons" }, add, remove));
  });
  byId("levels").replaceChildren(...parts);
}

byId("add-level").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("level").value.trim();
  if (name && !now.levels.some((level) => level.name === name)) now.levels.push({ name, examples: [] });
  byId("level").value = "";
  draw();
});

const dialog = byId("example-dialog");
let adding = null;

function ask(add) {
  adding = add;
  byId("example-form").reset();
  dialog.showModal();
}
for (const button of document.querySelectorAll("[data-add]")) {
  button.addEventListener("click", () => ask((example) => now[button.dataset.add].push(example)));
}
byId("example-cancel").addEventListener("click", () => dialog.close());
byId("example-form").addEventListener("submit", () => {
  const url = byId("example-url").value.trim();
  const text = byId("example-text").value.trim();
  if (text) adding({ text, title: byId("example-name").value.trim(), url: "" });
  else if (url) adding({ url, title: "", text: "" });
  draw();
});

// Suggestions and explanation, which take a moment to work out

let suggestions = null;

async function worked(path, show, place) {
  const found = await get(`${api}/topic/${path}`, { quiet: true }).catch((error) => ({ stage: "failed", problem: error.message }));
  if (found.stage === "running") setTimeout(() => worked(path, show, place), 700);
  else if (found.stage === "failed") place.forEach((id) => byId(id).replaceChildren(element("p", { class: "small muted" }, found.problem)));
  else show(found);
}

function drawSuggestions() {
  if (!suggestions) return;
  const terms = suggestions.terms.filter((term) => !now.vocabulary.some((known) => known.text === term.text));
  byId("suggested-terms").replaceChildren(
    element("p", { class: "small muted" }, `From ${thousands(suggestions.relevant_pages)} pages on topic beside ${thousands(suggestions.other_pages)} others.`),
    element("ul", { class: "suggested" }, ...terms.map((term) =>
      element("li", {},
        element("div", {}, element("span", {}, term.text), element("span", { class: "small muted clip" }, `on ${thousands(term.relevant_pages)} on topic, ${thousands(term.other_pages)} other`)),
        element("div", { class: "buttons" },
          element("button", { type: "button", class: "mini", "aria-label": `Add ${term.text} to the vocabulary`, onclick: () => addTerm(term.text, term.weight) }, `+ ${term.weight}`),
          element("button", { type: "button", class: "mini", "aria-label": `Add ${term.text} to the keywords`, disabled: now.keywords.includes(term.text), onclick: () => { setLines("keywords", [...now.keywords, term.text]); drawSuggestions(); } }, "keyword"))))),
  );
  const known = new Set([...now.examples, ...now.off_topic].map((example) => example.url));
  const pages = [...suggestions.examples, ...suggestions.borderline].filter((page) => !known.has(page.url));
  byId("suggested-pages").replaceChildren(
    element("ul", { class: "suggested" }, ...pages.map((page) =>
      element("li", {},
        element("div", {}, element("span", { class: "clip", title: page.url, dir: "auto" }, page.title || page.url), element("span", { class: "small muted" }, `relevance ${page.relevance.toFixed(2)}`)),
        element("div", { class: "buttons" },
          element("button", { type: "button", class: "mini", "aria-label": `${page.title} is on topic`, onclick: () => addPage("examples", page) }, "on"),
          element("button", { type: "button", class: "mini", "aria-label": `${page.title} is off topic`, onclick: () => addPage("off_topic", page) }, "off"))))),
  );
}

function addPage(part, page) {
  now[part].push({ url: page.url, title: page.title, text: "", opening: page.url });
  draw();
}

function drawExplanation(found) {
  const parts = [];
  if (found.ambiguities.length) parts.push(element("ul", { class: "plain-list small" }, ...found.ambiguities.map((sentence) => element("li", {}, sentence))));
  if (found.words.length) {
    const rows = found.words.map((word) => element("tr", {}, element("td", {}, word.word), element("td", { class: "numeric" }, word.share ? percent(word.share, word.share < 0.01 ? 2 : 1) : "unknown"), element("td", { class: "numeric" }, String(word.senses))));
    parts.push(element("table", { class: "table" }, element("thead", {}, element("tr", {}, element("th", {}, "Word"), element("th", { class: "numeric" }, "Texts that say it"), element("th", { class: "numeric" }, "Meanings"))), element("tbody", {}, ...rows)));
  }
  if (found.gaps.length) {
    parts.push(element("h3", {}, "Not said"), element("ul", { class: "plain-list small" }, ...found.gaps.map((gap) => element("li", {}, element("strong", {}, gap.what), `: ${gap.meaning}`))));
  }
  if (found.looks_for.length) {
    parts.push(element("h3", {}, "What the judge looks for"), element("p", { class: "words" }, ...found.looks_for.slice(0, 25).map((reason) => element("span", { class: `chip ${reason.amount < 0 ? "bad" : ""}`, title: reason.amount.toFixed(3) }, reason.what))));
  }
  byId("explained").replaceChildren(...parts);
}

// Preview, apply, undo

let asking = 0;
const preview = byId("preview");

byId("try").addEventListener("click", async () => {
  const mine = ++asking;
  byId("preview-card").scrollIntoView({ block: "nearest" });
  const found = await told(send("POST", `${api}/topic/preview`, { edit: meant(), which: byId("which").value }));
  if (found) show(found, mine);
});

async function follow(mine) {
  const found = mine === asking && (await told(get(`${api}/topic/preview`)));
  if (found) show(found, mine);
}

function show(found, mine) {
  if (mine !== asking) return;
  if (found.stage === "running") {
    preview.replaceChildren(
      element("p", { class: "small" }, found.total && found.done ? `Judging ${thousands(found.done)} of ${thousands(found.total)} pages` : "Fitting the judge to the edited topic"),
      element("progress", { class: "meter wide-bar", max: Math.max(1, found.total), value: found.done, "aria-label": "progress" }),
    );
    setTimeout(() => follow(mine), 400);
    return;
  }
  if (found.stage !== "done") {
    preview.replaceChildren(element("p", { class: "small" }, found.sentence || "The preview was given up."));
    return;
  }
  preview.replaceChildren(
    element("div", { class: "verdict" },
      element("div", {}, element("strong", {}, thousands(found.gained)), found.gained === 1 ? "page would become relevant" : "pages would become relevant"),
      element("div", { class: "bad" }, element("strong", {}, thousands(found.lost)), "would not be any more")),
    element("p", { class: "small muted" }, `${found.sentence} ${thousands(found.before)} of them are relevant now, ${thousands(found.after)} would be.`),
    ...changedList("Would become relevant", found.would_become_relevant),
    ...changedList("Would not be any more", found.would_not),
  );
}

function changedList(title, pages) {
  if (!pages.length) return [];
  const items = pages.map((page) => element("li", {}, element("a", { href: `${here}pages/${page.visit}`, dir: "auto" }, page.title || page.url), element("span", { class: "small muted" }, ` ${page.host} · ${page.relevance.toFixed(2)}`)));
  return [element("h3", {}, title), element("ul", { class: "changed-pages" }, ...items)];
}

byId("apply").addEventListener("click", async () => {
  const by = localStorage.getItem("honeyguide-annotator") || "";
  applied(await told(send("POST", `${api}/topic/revisions`, { edit: meant(), note: byId("note").value.trim(), by })));
});
byId("discard").addEventListener("click", () => {
  now = clone(before);
  draw();
});

/** An answer, or nothing where the notice of the page has said why there is none. */
const told = (answer) => answer.catch(() => null);

async function applied(done) {
  if (!done) return;
  say(done.sentence, "good");
  byId("note").value = "";
  await load();
}

async function drawHistory() {
  const revisions = await get(`${api}/topic/revisions`);
  const items = revisions.map((revision, at) => {
    const when = new Date(revision.at * 1000).toISOString().slice(0, 16).replace("T", " ");
    const restore = element("button", { type: "button", class: "mini", onclick: async () => {
      const by = localStorage.getItem("honeyguide-annotator") || "";
      applied(await told(send("POST", `${api}/topic/revisions/${revision.number}/restore`, { by })));
    } }, at === 1 ? "Undo to here" : "Go back");
    return element("li", {}, element("div", {}, element("strong", {}, `Revision ${revision.number}`), element("div", { class: "small muted" }, `${when} UTC`), element("div", { class: "small" }, revision.note)), at === 0 ? element("span", { class: "chip good" }, "now") : restore);
  });
  byId("history").replaceChildren(...items);
}

async function load() {
  before = await get(`${api}/topic`);
  now = clone(before);
  byId("revision").textContent = `revision ${thousands(before.revision)}`;
  byId("judge").textContent = `judged by ${before.judge}`;
  draw();
  drawHistory();
  worked("suggestions", (found) => { suggestions = found; drawSuggestions(); }, ["suggested-terms", "suggested-pages"]);
  worked("explanation", drawExplanation, ["explained"]);
}
window.addEventListener("beforeunload", (event) => {
  if (before && Object.keys(meant()).length > 1) event.preventDefault();
});
load();
