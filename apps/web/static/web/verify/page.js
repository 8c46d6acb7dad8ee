// The page: a file is chosen or dropped, read here and answered here. Nothing is sent, and nothing is kept.
(() => {
  "use strict";
  const m = globalThis.muniment;
  const form = document.getElementById("sending");
  const field = document.getElementById("file");
  const drop = document.getElementById("drop");
  const typed = document.getElementById("vkeys"); // on the saved page
  const report = document.getElementById("report");
  const verdict = document.getElementById("verdict");
  const told = document.getElementById("told"); // for whoever listens
  const problem = document.getElementById("problem");
  document.documentElement.classList.add("script");
  let last = null; // the file that was answered, to be answered again under another key

  const part = (name) => report.querySelector(`[data-part="${name}"]`);
  const listed = (name, sentences, none) => {
    const items = (sentences.length || !none ? sentences : [none]).map((sentence) => {
      const item = document.createElement("li");
      item.append(...[sentence].flat());
      return item;
    });
    part(name).replaceChildren(...items);
    part(name).hidden = !items.length;
  };
  const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });

  const show = (found, name) => {
    problem.hidden = true;
    report.hidden = false;
    part("file").textContent = name;
    listed("checked", found.checked, found.verdict === "altered" ? "The file, up to what does not hold." : "Nothing.");
    listed("coverage", found.coverage, "Nowhere.");
    listed("limits", found.limits, "Anything: nothing in it is to be relied on.");
    verdict.dataset.verdict = found.verdict;
    part("heading").textContent = found.heading;
    part("says").textContent = found.says;
    listed("findings", found.findings.map((each) => [bold(each.where), `: ${each.what}`]));
    part("content").textContent = found.content;
    const findings = found.findings.map((each) => `${each.where}: ${each.what}`);
    told.textContent = [`${found.heading}.`, found.says, ...findings].join(" ");
    report.focus({ preventScroll: true });
    report.scrollIntoView({ block: "nearest" });
  };
  const complain = (sentence) => {
    report.hidden = true;
    told.textContent = "";
    problem.textContent = sentence;
    problem.hidden = false;
  };

  const trusted = () => {
    const written = typed
      ? typed.value.split("\n").map((line) => line.trim()).filter(Boolean)
      : [...document.querySelectorAll("[data-vkey]")].map((each) => each.dataset.vkey);
    return written.map((line) => m.VerifierKey.parse(line));
  };
  const check = async (file) => {
    last = file;
    let keys;
    try {
      keys = trusted();
    } catch (wrong) {
      return complain(`The log’s key cannot be used: ${wrong.message}. Put in one line of /log/vkey, whole.`);
    }
    form.setAttribute("aria-busy", "true");
    try {
      const found = await m.verify(file, keys);
      if (last === file) show(found, file.name);
    } catch (wrong) {
      complain(`The file could not be read (${wrong.name}). Choose it again.`);
    } finally {
      form.removeAttribute("aria-busy");
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.files[0]) check(field.files[0]);
  });
  field.addEventListener("change", () => field.files[0] && check(field.files[0]));
  typed?.addEventListener("change", () => last && check(last));
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files[0]) check(event.dataTransfer.files[0]);
  });
})();
