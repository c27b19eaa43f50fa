"use strict";
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numeric;
      const key = (row) => (numeric ? parseFloat(row.cells[place].dataset.sort ?? "-Infinity") : row.cells[place].textContent);
      const order = (a, b) => (numeric ? a - b : a.localeCompare(b));
      const rows = [...body.rows].sort((a, b) => (down ? order(key(b), key(a)) : order(key(a), key(b))));
      body.append(...rows);
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}
