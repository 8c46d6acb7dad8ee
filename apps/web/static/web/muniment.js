// What pages gain with script. Without it every form posts and every page answers in full.
(() => {
  "use strict";

  // A form says that the script is there: the answer is then asked for by the page itself and shown as it comes.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.script !== undefined && !form.elements.script) {
      const said = document.createElement("input");
      Object.assign(said, { type: "hidden", name: "script", value: "1" });
      form.append(said);
    }
    if (form.method === "post" && !form.hasAttribute("data-hx-post")) form.setAttribute("aria-busy", "true");
  });
  // A page that comes back from the browser's memory is not busy any more.
  addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach((form) => form.removeAttribute("aria-busy")));

  const say = (text) => {
    const status = document.getElementById("status");
    if (status) status.textContent = text;
  };

  // The answer's stream: one line says how it stands, the words themselves are not announced.
  const answering = (form, state, words) => {
    document.getElementById("stream")?.setAttribute("aria-busy", String(state === "writing"));
    form.querySelector("[data-again]").hidden = state === "writing";
    form.querySelector("[data-stop]").hidden = state !== "writing";
    form.dataset.state = state;
    say(words);
  };
  const ours = (event) => (event.target.id === "answering" ? event.target : null);
  document.addEventListener("htmx:before:request", (event) => {
    const form = ours(event);
    if (form) {
      document.getElementById("stream").textContent = "";
      answering(form, "writing", "Answering.");
    }
  });
  for (const ended of ["htmx:error", "htmx:sse:error", "htmx:sse:close"]) {
    document.addEventListener(ended, (event) => {
      const form = ours(event);
      if (form?.isConnected && form.dataset.state === "writing") {
        answering(form, "broken", "The answer did not come through. Ask for it again.");
      }
    });
  }

  document.addEventListener("click", (event) => {
    const form = event.target.closest("[data-stop]")?.form;
    if (form) {
      answering(form, "stopped", "Stopped. What was handed over stays in the ledger.");
      form.dispatchEvent(new CustomEvent("htmx:abort"));
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).textContent.trim()).then(() => say("Copied."));
    }
  });
  document.querySelectorAll("[data-needs-script]").forEach((each) => each.removeAttribute("hidden"));

  // Enter asks; Shift and Enter begin a new line.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches("[data-enter]")) {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
})();
