// Check a file, whichever of ours it is: the one entry (apps/ledger/format/verifying.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const MOST_FILE_BYTES = 64 * 2 ** 20; // of a file that is one JSON object
  const BEGINNING = 1000; // bytes in which a file of ours has named its format
  const NO_FILE_OF_OURS =
    "This is no file of Muniment that this program knows: no receipt file, bundle, conversation or proof of a fork. " +
    "Take the file as it was downloaded; if it is newer than the program, take a newer program.";
  const OBJECTS = {
    [m.RECEIPT_FILE]: { kind: "receipt", check: m.verifyReceiptFile },
    [m.FORK]: { kind: "fork", check: m.verifyFork },
  };

  const otherFormat = (name) =>
    name.startsWith("muniment-")
      ? `This file is of the format ${[...name].slice(0, 80).join("")}, which this program does not know: ` +
        "take a newer program."
      : NO_FILE_OF_OURS;

  const verifyObject = (data, trusted) => {
    let found;
    try {
      found = m.strictJson(data);
    } catch (problem) {
      if (!(problem instanceof m.Malformed)) throw problem;
      const beginning = new TextDecoder().decode(data.slice(0, BEGINNING));
      const begun = Object.keys(OBJECTS).find((name) => beginning.includes(name));
      if (!begun) return m.cantCheck("unknown", NO_FILE_OF_OURS);
      const { kind } = OBJECTS[begun];
      const finding = { where: "file", what: problem.message };
      return m.altered(kind, `It begins like a ${kind}'s file and was altered.`, finding);
    }
    const name = found instanceof Map ? found.get("format") : undefined;
    if (typeof name !== "string") return m.cantCheck("unknown", NO_FILE_OF_OURS);
    return Object.hasOwn(OBJECTS, name) ? OBJECTS[name].check(found, trusted) : m.cantCheck("unknown", otherFormat(name));
  };

  // A Blob or File is read here, in the browser. `trusted` are the log's keys that the caller already had.
  const verify = async (file, trusted) => {
    if (file.size > MOST_FILE_BYTES) {
      const most = MOST_FILE_BYTES / 2 ** 20;
      return m.cantCheck("unknown", `This file is larger than ${most} MiB, which no file of this kind is.`);
    }
    return verifyObject(new Uint8Array(await file.arrayBuffer()), trusted);
  };

  Object.assign(m, { verify });
})();
