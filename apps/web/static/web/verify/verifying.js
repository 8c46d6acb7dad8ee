// Check a file, whichever of ours it is: the one entry (apps/ledger/format/verifying.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const MOST_FILE_BYTES = 64 * 2 ** 20; // of a file that is one JSON object; JSON lines are read as they come
  const UNTOLD_BYTES = 64 * 2 ** 10; // no more is read of a file that has not named a format of ours by then
  const MOST_PARTS = 2 ** 20; // lists, objects and commas in a file that is one JSON object
  const BEGINNING = 1000; // bytes in which a file of ours has named its format
  const NO_FILE_OF_OURS =
    "This is no file of Muniment that this program knows: no receipt file, bundle, conversation, erasure " +
    "certificate or proof of a fork. " +
    "Take the file as it was downloaded; if it is newer than the program, take a newer program.";
  const OPENINGS = ["muniment-opening/1", "muniment-order-opening/1"];
  const AN_OPENING =
    "This file is an opening: a value with its key, and no receipt. Give it to the program beside the file with the " +
    "receipt it belongs to: muniment verify RECEIPT --opening THIS-FILE.";
  const CONVERSATION = "muniment-conversation/1";
  const FOR_THE_PROGRAM =
    "A conversation is not checked in the browser: take the muniment program, which does it with Python alone.";
  const LINES = {
    [m.BUNDLE]: m.verifyBundle,
    [CONVERSATION]: () => m.cantCheck("conversation", FOR_THE_PROGRAM),
  };
  const OBJECTS = {
    [m.CERTIFICATE_FILE]: { kind: "certificate", check: m.verifyCertificateFile }, // before what may stand in one
    [m.RECEIPT_FILE]: { kind: "receipt", check: m.verifyReceiptFile },
    [m.FORK]: { kind: "fork", check: m.verifyFork },
  };

  const strictly = (data) => {
    try {
      return { found: m.strictJson(data) };
    } catch (problem) {
      if (problem instanceof m.Malformed) return { problem };
      throw problem;
    }
  };
  const formatOf = (found) => (found instanceof Map ? found.get("format") : undefined);
  const beginning = (data, size = BEGINNING) => new TextDecoder("latin1").decode(data.subarray(0, size));
  const NAMES = [...Object.keys(LINES), ...Object.keys(OBJECTS)];
  const isTold = (data) => NAMES.some((name) => beginning(data, UNTOLD_BYTES).includes(name));
  const parts = (data) => data.reduce((sum, byte) => sum + (byte === 0x5b || byte === 0x7b || byte === 0x2c), 0);

  // Does the first line begin a file of this format, well or badly written.
  const isNamed = (first, name) => {
    const begins = beginning(first);
    if (!begins.includes(name)) return false;
    const { found, problem } = strictly(first);
    return problem ? !Object.keys(OBJECTS).some((other) => begins.includes(other)) : formatOf(found) === name;
  };
  // Why this is not checked, given the format it names.
  const noFile = (name) => {
    if (OPENINGS.includes(name)) return AN_OPENING;
    if (typeof name !== "string" || !name.startsWith("muniment-")) return NO_FILE_OF_OURS;
    const cut = [...name].slice(0, 80).join("");
    return `This file is of the format ${cut}, which this program does not know: take a newer program.`;
  };
  const noObject = (first, data, problem) => {
    const begun = Object.keys(OBJECTS).find((name) => beginning(data).includes(name));
    if (!begun) return m.cantCheck("unknown", noFile(formatOf(strictly(first).found)));
    const { kind } = OBJECTS[begun];
    const finding = { where: "file", what: problem.message };
    return m.altered(kind, `It begins like a ${kind}'s file and was altered.`, finding);
  };

  // A Blob or File is read here, in the browser. `trusted` are the log's keys that the caller already had.
  const verify = async (file, trusted) => {
    const read = async (size) => new Uint8Array(await file.slice(0, size).arrayBuffer());
    if (file.size > UNTOLD_BYTES && !isTold(await read(UNTOLD_BYTES))) return m.cantCheck("unknown", NO_FILE_OF_OURS);
    const head = await read(MOST_FILE_BYTES);
    const first = head.subarray(0, head.indexOf(10) + 1 || head.length);
    const stream = Object.keys(LINES).find((name) => isNamed(first, name));
    if (stream) return LINES[stream](file, trusted);
    if (file.size > MOST_FILE_BYTES) {
      const most = MOST_FILE_BYTES / 2 ** 20;
      return m.cantCheck("unknown", `This file is larger than ${most} MiB, which no file of this kind is.`);
    }
    const many = parts(head) > MOST_PARTS && new m.Malformed("it has more parts than any file of this kind");
    const { found, problem } = many ? { problem: many } : strictly(head);
    if (problem) return noObject(first, head, problem);
    const name = formatOf(found);
    return typeof name === "string" && Object.hasOwn(OBJECTS, name)
      ? OBJECTS[name].check(found, trusted)
      : m.cantCheck("unknown", noFile(name));
  };

  Object.assign(m, { verify });
})();
