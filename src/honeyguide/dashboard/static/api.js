// Talks to /api. What goes wrong is said in the notice of the page, and thrown for whoever wants to know.

const notice = document.getElementById("notice");
const home = notice.parentElement;
let hiding = 0;

/** Says something to whoever looks; `kind` is "good", "bad" or "plain". */
export function say(sentence, kind = "plain") {
  clearTimeout(hiding);
  // Whatever lies outside an open dialog is behind it, dimmed and unheard.
  const place = (kind === "bad" && document.querySelector("dialog:modal")) || home;
  if (notice.parentElement !== place) place.prepend(notice);
  notice.textContent = sentence;
  notice.className = kind;
  notice.hidden = !sentence;
  if (sentence && kind !== "bad") hiding = setTimeout(() => (notice.hidden = true), 6000);
}

/** An answer of the API that is no success. */
export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function ask(path, options, quiet) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const gone = new Refused(0, "Honeyguide does not answer. Is it still running?");
    if (!quiet) say(gone.message, "bad");
    throw gone;
  }
  const isJson = (answer.headers.get("content-type") || "").startsWith("application/json");
  const body = isJson ? await answer.json() : await answer.text();
  if (answer.ok) return body;
  const told = answer.status === 401 ? "You are not signed in any more; reload this page to sign in." : isJson && body.detail;
  const refused = new Refused(answer.status, told || "That did not work.");
  if (!quiet) say(refused.message, "bad");
  throw refused;
}

/** Reads JSON from the API. */
export function get(path, { signal, quiet = false } = {}) {
  return ask(path, { signal, headers: { accept: "application/json" } }, quiet);
}

/** Changes something through the API; the body is sent as JSON. */
export function send(method, path, body, { signal, quiet = false } = {}) {
  const headers = { "content-type": "application/json", "x-honeyguide": "1" };
  return ask(path, { method, signal, headers, body: body === undefined ? undefined : JSON.stringify(body) }, quiet);
}

/** Where the API of the crawl of this page begins, such as /api/crawls/dengue. */
export const api = document.getElementById("main").dataset.api;

/** Where the pages of the crawl of this page begin, ending in a slash. */
export const here = document.getElementById("main").dataset.path;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
export const thousands = (number) => whole.format(number);
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}\u00a0%`;

/** Makes an element: attributes by name, the rest is its children; text is never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
