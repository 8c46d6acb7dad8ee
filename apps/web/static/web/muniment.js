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
  document.addEventListener("htmx:sse:after:connection", (event) => {
    if (event.target.id === "answering") say("Answering.");
  });
  for (const failed of ["htmx:sse:error", "htmx:error"]) {
    document.addEventListener(failed, (event) => {
      if (event.target.id === "answering") broken(event.target);
    });
  }
  document.addEventListener("htmx:sse:close", (event) => {
    if (event.target.id === "answering" && event.target.isConnected && !event.target.dataset.stopped) broken(event.target);
  });
  const broken = (form) => {
    document.getElementById("stream")?.setAttribute("aria-busy", "false");
    form.querySelector("[data-again]")?.removeAttribute("hidden");
    form.querySelector("[data-stop]")?.setAttribute("hidden", "");
    say("The answer did not come through. Ask for it again.");
  };

  document.addEventListener("click", (event) => {
    const stop = event.target.closest("[data-stop]");
    if (stop) {
      const form = stop.closest("form");
      form.dataset.stopped = "1";
      htmx.trigger(form, "htmx:abort");
      document.getElementById("stream")?.setAttribute("aria-busy", "false");
      stop.setAttribute("hidden", "");
      form.querySelector("[data-again]")?.removeAttribute("hidden");
      say("Stopped. What was handed over stays in the ledger.");
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
