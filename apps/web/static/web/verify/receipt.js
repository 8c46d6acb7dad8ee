// A receipt's bytes, and its file (apps/ledger/format/encoding.py, receipt_file.py; docs/receipt-format.md).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { expect } = m;
  const RECEIPT_FILE = "muniment-receipt-file/1", VERSION = "muniment-receipt/1", NOT_YET = "not yet in the log";
  const FIELDS = [
    "actor", "category", "commitment", "form", "kind", "memory", "object", "on_behalf_of", "purpose", "reason",
    "recipient", "request", "salt", "seq", "time", "turn", "v", "vault", "version",
  ];
  const MEMBERS = ["format", "receipt", "digest", "chain_hash", "previous_chain_hash", "limits"];
  const LIMITS = [
    "It shows what was recorded, and that the record was not changed after its checkpoint was signed.",
    "It does not show that the recipient used the value, or received it: the receipt is written first.",
    "It does not show that no value left by another road: whoever has both the database and the root key reads " +
      "without a receipt.",
    "Its time is the clock of the instance's database.",
    "The value is not in it and is not checked by it.",
  ];
  const NO_WITNESS =
    "No witness has cosigned this checkpoint: whoever holds the log's key could show another history to somebody else.";
  const UNPINNED =
    "The log does not hold it yet: until it does, its instance could still write another in its place.";
  const NOTHING_SIGNED =
    "It was taken before the log held it, so nothing in it is signed, and anybody could have made it. " +
    "Take the file again: a receipt is in the log a few seconds after it was written.";
  const SHAPES = {
    commitment: /^(?:-|[0-9a-f]{64})$/,
    memory: /^(?:-|mem_[0-9a-f]{32})$/,
    salt: /^[0-9a-f]{32}$/,
    time: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/,
    vault: /^vlt_[0-9a-f]{32}$/,
  };

  // RFC 8785 of a receipt's object: its names are ASCII and its numbers whole.
  const written = (value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value));
  const canonicalText = (receipt) => `{${FIELDS.map((name) => `"${name}":${written(receipt.get(name))}`).join(",")}}`;
  const canonical = (receipt) => m.octets(canonicalText(receipt), "a receipt");
  const digestOf = (receipt) => m.sha256(canonical(receipt));

  const readReceipt = (found, where) => {
    const receipt = m.anObject(found, FIELDS, where);
    for (const name of FIELDS) {
      const place = `${where}.${name}`, value = receipt.get(name);
      if (name === "seq" || name === "version") m.aNumber(value, place, m.MOST_RECEIPTS);
      else {
        m.aText(value, place);
        const shaped = !(name in SHAPES) || SHAPES[name].test(value);
        expect(shaped, place, "this is not written as it is in any receipt");
      }
    }
    expect(receipt.get("seq") !== 0n, `${where}.seq`, "the first receipt is number 1");
    return receipt;
  };

  const checkLink = ({ receipt, digest, previous, chainHash }) => {
    const made = digestOf(receipt);
    if (m.same(made, digest)) {
      const follows = m.same(m.nextHash(previous, digest), chainHash);
      expect(follows, "chain_hash", "it does not follow from the chain hash before and the digest");
      if (receipt.get("v") === VERSION) return;
      throw new m.Unreadable(`The receipt is of another version than ${VERSION}: check it with a newer program.`);
    }
    const placed = m.same(m.nextHash(previous, made), chainHash);
    expect(!placed, "digest", "it is not the digest of the receipt, whose place in the chain holds");
    expect(false, "receipt", "its digest is another: one of its members was changed");
  };

  const readReceiptFile = (found) => {
    const waiting = found.has("log");
    m.anObject(found, [...MEMBERS, ...(waiting ? ["log"] : m.PINNED_MEMBERS)], "");
    expect(!waiting || found.get("log") === NOT_YET, "log", `this says nothing but: ${NOT_YET}`);
    const receipt = readReceipt(found.get("receipt"), "receipt");
    const [digest, chainHash, previous] = ["digest", "chain_hash", "previous_chain_hash"].map((name) =>
      m.aHex(found.get(name), name),
    );
    const pinned = waiting ? null : m.readPinned(found);
    const limits = m.aList(found.get("limits"), "limits").map((each, place) => m.aText(each, `limits[${place}]`));
    return { receipt, digest, chainHash, previous, pinned, limits };
  };
  const limitsOf = (standing) => [...LIMITS, ...(!standing ? [UNPINNED] : standing.cosigned ? [] : [NO_WITNESS])];

  // Does everything in it hold together. Returns the checkpoint, null where there is none.
  const checkReceiptFile = (file) => {
    checkLink(file);
    const seq = file.receipt.get("seq"), vault = m.hyphenated(file.receipt.get("vault"));
    const first = seq !== 1n || m.same(file.previous, m.genesis(vault));
    expect(first, "previous_chain_hash", "before number 1 stands the vault's genesis");
    const standing = file.pinned && m.standingOf(file.pinned);
    if (standing) m.hold(file.pinned, standing.checkpoint, vault, seq, file.chainHash);
    const limits = limitsOf(standing);
    const asGiven = file.limits.length === limits.length && file.limits.every((each, at) => each === limits[at]);
    expect(asGiven, "limits", "these are not the sentences that belong to such a file");
    return standing;
  };

  const judgeReceipt = (standing, trusted) => {
    if (standing) return m.judge(standing, trusted);
    const verdict = trusted.length ? "cant-check" : "intact-ledger-not-checked";
    return { verdict, why: NOTHING_SIGNED, checked: [] };
  };
  const saying = (seq, { verdict, why }) => {
    if (verdict === "intact-in-ledger") return `This receipt is unaltered and is line ${seq} of this vault's ledger.`;
    return verdict === "intact-ledger-not-checked" ? `This receipt is unaltered in itself. ${why}` : why;
  };

  // What was checked of a receipt's file that holds, and how far it reaches, in sentences.
  const receiptChecked = ({ receipt, pinned }) => [
    `Receipt ${receipt.get("seq")} of ${receipt.get("vault")}: its ${FIELDS.length} members, their digest, and its link ` +
      "to the one before.",
    ...(pinned ? [`Its chain on to receipt ${pinned.leaf.seq}, whose hash is leaf ${pinned.proof.index}.`] : []),
  ];
  const receiptCoverage = (standing) => {
    if (!standing) return ["This one receipt, by itself."];
    const leaves = m.counted(standing.checkpoint.size, "leaf", "leaves");
    return [
      `This one receipt, in the log ${standing.checkpoint.origin} at ${leaves}.`,
      "The receipts before it and after it are bound to it by their hashes; what they say is not in the file.",
    ];
  };

  // Check a receipt's file, given as its JSON object.
  const verifyReceiptFile = (found, trusted) => {
    let file, standing;
    try {
      file = readReceiptFile(found);
      standing = checkReceiptFile(file);
    } catch (problem) {
      if (problem instanceof m.Unreadable) return m.cantCheck("receipt", problem.message);
      if (!(problem instanceof m.Altered)) throw problem;
      return m.altered("receipt", "This receipt, or what shows it to be in the ledger, was altered.", problem.finding);
    }
    const worth = judgeReceipt(standing, trusted);
    return m.report("receipt", worth.verdict, saying(file.receipt.get("seq"), worth), {
      checked: [...receiptChecked(file), ...worth.checked],
      coverage: receiptCoverage(standing),
      limits: [...file.limits, ...m.ALWAYS],
      checkpoint: standing && m.utf8(standing.signed, "a checkpoint"),
    });
  };

  Object.assign(m, {
    RECEIPT_FILE, FIELDS, VERSION, NOT_YET, NOTHING_SIGNED, limitsOf, canonical, canonicalText, readReceiptFile,
    checkReceiptFile, judgeReceipt, receiptChecked, receiptCoverage, verifyReceiptFile,
  });
})();
