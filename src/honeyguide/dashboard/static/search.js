// Search: marks on results, saved searches, and how far the index is.

import { api, get, say, send, thousands } from "./api.js";

const form = document.getElementById("search-form");
const box = document.getElementById("query");

document.getElementById("sort").addEventListener("change", () => form.requestSubmit());
document.addEventListener("keydown", (event) => {
  const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.select();
  }
});

// Good and bad answers: a page is one of them or neither.
const feedback = document.getElementById("feedback");
const boxes = () => [...document.querySelectorAll(".mark-box input")];

function tell() {
  const count = (name) =>
    document.querySelectorAll(`.mark-box input[name=${name}]:checked, [data-mark][name=${name}]`).length;
  const good = count("good");
  const bad = count("bad");
  feedback.hidden = !good && !bad;
  document.getElementById("marked").textContent = `${good} good, ${bad} bad`;
}
for (const mark of boxes()) {
  mark.addEventListener("change", () => {
    const other = mark.name === "good" ? "bad" : "good";
    if (mark.checked) mark.closest(".marks").querySelector(`input[name=${other}]`).checked = false;
    tell();
  });
}
document.getElementById("unmark").addEventListener("click", () => {
  boxes().forEach((mark) => (mark.checked = false));
  document.querySelectorAll("[data-mark]").forEach((hidden) => hidden.remove());
  tell();
});
tell();

for (const more of document.querySelectorAll("[data-more]")) {
  more.addEventListener("click", () => more.closest(".facet").classList.add("open"));
}

// Saved searches
const dialog = document.getElementById("save-dialog");
document.getElementById("save").addEventListener("click", () => dialog.showModal());
document.getElementById("save-cancel").addEventListener("click", () => dialog.close());
document.getElementById("save-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = document.getElementById("save-name").value;
  await send("PUT", `${api}/search/saved/${encodeURIComponent(name)}`, JSON.parse(event.target.dataset.search));
  location.reload();
});
for (const button of document.querySelectorAll("[data-forget]")) {
  button.addEventListener("click", async () => {
    const done = await send("DELETE", `${api}/search/saved/${encodeURIComponent(button.dataset.forget)}`);
    button.closest("li").remove();
    say(done.sentence, "good");
  });
}

// The index keeps up with the crawl behind the scenes; what it lacks is said, and results come when they are there.
const line = document.getElementById("index-state");
const empty = line.dataset.pages === "0";

async function watch() {
  let state;
  try {
    state = await get(`${api}/search/index`, { quiet: true });
  } catch {
    setTimeout(watch, 15000);
    return;
  }
  const behind = `${thousands(state.behind)} visit${state.behind === 1 ? " is" : "s are"} not indexed yet`;
  line.hidden = !state.behind && !state.problem;
  if (state.problem) line.textContent = state.problem;
  else if (state.updating) line.textContent = `${behind}; they are being indexed now.`;
  else if (state.elsewhere) line.textContent = `${behind}; another process is indexing them.`;
  else line.textContent = `${behind}; that is done in a moment.`;
  if (empty && state.pages && !state.behind && !document.activeElement?.matches("dialog *")) {
    location.reload();
    return;
  }
  setTimeout(watch, state.behind ? 2000 : 10000);
}
watch();
