// The proof that a log's key signed two histories (apps/ledger/format/fork.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { expect } = m;
  const FORK = "muniment-fork/1";
  const MEMBERS = ["format", "log", "first", "second"], BETWEEN_SIZES = ["root", "hashes"];
  const BETWEEN =
    "It does not show what either history holds, which is the true one, or who it was that signed with the key.";

  const hashIn = (found, where) => m.at(where, () => m.unbase64Hash(m.aText(found, where), where));
  const read = (found) => {
    const between = BETWEEN_SIZES.some((name) => found.has(name));
    m.anObject(found, [...MEMBERS, ...(between ? BETWEEN_SIZES : [])], "");
    const hashes = between ? m.aList(found.get("hashes"), "hashes") : [];
    return {
      log: m.at("log", () => m.VerifierKey.parse(m.aText(found.get("log"), "log"))),
      first: m.octets(m.aText(found.get("first"), "first"), "first"),
      second: m.octets(m.aText(found.get("second"), "second"), "second"),
      root: between ? hashIn(found.get("root"), "root") : null,
      hashes: hashes.map((each, place) => hashIn(each, `hashes[${place}]`)),
    };
  };

  // The tree of a checkpoint that the log signed, and nobody else.
  const treeOf = (fork, where) => {
    const { checkpoint, note } = m.at(where, () => {
      const parsed = m.parseSigned(fork[where]);
      m.verifyNote(parsed.note, [fork.log]);
      return parsed;
    });
    expect(note.signatures.length === 1, where, "it is signed by the log and nobody else");
    return checkpoint;
  };
  const checkWhole = (fork, one, other) => {
    const whole = (held, sentence) => {
      if (!held) throw new m.Unproven(sentence);
    };
    const ofLog = fork.log.type === m.ED25519 && fork.log.name === one.origin && one.origin === other.origin;
    whole(ofLog, "the checkpoints are not of the log whose key signed them");
    if (one.size === other.size) {
      whole(
        !m.same(one.root, other.root) && !fork.root && !fork.hashes.length,
        "of one size, two checkpoints are a fork only by two roots, and no hashes belong there",
      );
      return;
    }
    const another = fork.root && !m.same(fork.root, one.root);
    whole(another, "the second tree was not shown to have had another root at the first's size");
    m.checkConsistency(one.size, fork.root, other.size, other.root, fork.hashes);
  };

  const judged = (log, origin, trusted) => {
    const says = `Proof of a fork: one key signed two histories of the log ${origin}.`;
    if (trusted.some((key) => `${key}` === `${log}`)) return ["forked", says];
    if (!trusted.length) return ["forked", `${says} ${m.KEY_CAME_WITH_IT}`];
    return ["unknown-key", `${m.NO_KNOWN_KEY} Who signed: ${m.nameOf(log)}.`];
  };

  // Check a proof of a fork, given as its JSON object.
  const verifyFork = (found, trusted) => {
    let fork, one, other;
    try {
      fork = read(found);
      [one, other] = ["first", "second"].map((where) => treeOf(fork, where));
      m.at(fork.root ? "root" : "second", () => checkWhole(fork, one, other));
    } catch (problem) {
      if (!(problem instanceof m.Altered)) throw problem;
      return m.altered("fork", "This proves no fork.", problem.finding);
    }
    const [verdict, says] = judged(fork.log, one.origin, trusted);
    return m.report("fork", verdict, says, {
      checked: [
        `Both checkpoints, of ${one.size} and of ${m.counted(other.size, "leaf", "leaves")}, are signed by ` +
          `${m.nameOf(fork.log)}.`,
        one.size === other.size
          ? "They have different roots at one size."
          : "The larger tree had another root at the smaller one's size.",
      ],
      coverage: [`The log ${one.origin}: every receipt that is shown to be in it.`],
      limits: [BETWEEN],
      checkpoint: m.utf8(fork.second, "a checkpoint"),
    });
  };

  Object.assign(m, { FORK, verifyFork });
})();
