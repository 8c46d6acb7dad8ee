// The link's token leaves the address: it is in no history and no screenshot. Nothing here presses anything.
(() => {
  "use strict";
  if (location.pathname !== "/s") history.replaceState(null, "", "/s");
  // One press is enough: a second, before the answer has come, would be another one.
  document.addEventListener("submit", (event) => {
    if (event.target.hasAttribute("aria-busy")) event.preventDefault();
    event.target.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach((form) => form.removeAttribute("aria-busy")));
})();
