// What every page does: switching between crawls, and closing the notice.

const switcher = document.getElementById("crawl-switcher");
if (switcher) {
  switcher.addEventListener("change", () => {
    const rest = location.pathname.split("/").slice(3, 4).join("/");
    location.assign(switcher.value + (rest || ""));
  });
}

const notice = document.getElementById("notice");
notice.addEventListener("click", () => (notice.hidden = true));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") notice.hidden = true;
});
