// The answer to a file, and what a checkpoint in it is worth to whoever has some keys (apps/ledger/format/verdict.py,
// pinned.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const CONTENT_NOT_CHECKED = "content NOT checked";
  const ALWAYS = [
    "It does not say that the memory is true, nor what the assistant did with it afterwards.",
    "It does not include the memory itself.",
  ];
  const HEADINGS = {
    "intact-in-ledger": "Intact and in the ledger",
    "intact-ledger-not-checked": "Intact, ledger not checked",
    altered: "Altered",
    "unknown-key": "Not from this vault, or an unknown key",
    "cant-check": "Can't check",
    forked: "This log has forked",
  };
  const EXIT_CODES = { "intact-in-ledger": 0, "intact-ledger-not-checked": 0, "cant-check": 2 };
  const NO_KNOWN_KEY = "It is signed by none of the keys that it was checked against.";
  const KEY_CAME_WITH_IT =
    "The log's key came with the file: give the key that you had from elsewhere to know whose ledger that is.";
  const LAST_SECOND = 253_402_300_799n; // 9999-12-31T23:59:59Z

  // A file that this program can not check, though another may: the sentence says why and what to do.
  class Unreadable extends Error {}

  const report = (kind, verdict, says, more = {}) => ({
    kind,
    checked: [],
    coverage: [],
    limits: [],
    content: CONTENT_NOT_CHECKED,
    verdict,
    heading: HEADINGS[verdict],
    says,
    findings: [],
    checkpoint: null,
    exit_code: EXIT_CODES[verdict] ?? 1,
    ...more,
  });
  const cantCheck = (kind, why) => report(kind, "cant-check", why);
  const altered = (kind, says, ...findings) => report(kind, "altered", says, { findings });

  const isLog = (key, checkpoint) => key.type === m.ED25519 && key.name === checkpoint.origin;
  const nameOf = (key) => `${key.name}+${key.hexId}`;
  const namesOf = (keys) => keys.map(nameOf).join(", ");
  const instant = (second) =>
    second <= LAST_SECOND ? `${new Date(Number(second) * 1000).toISOString().slice(0, 19)}Z` : `second ${second}`;
  const signedBy = ({ key, time }, checkpoint) =>
    time === null
      ? `The checkpoint of ${m.counted(checkpoint.size, "leaf", "leaves")} is signed by ${nameOf(key)}.`
      : `It is cosigned by the witness ${nameOf(key)} as of ${instant(time)}.`;

  // What a checkpoint that holds is worth to somebody who trusts these keys.
  const judge = ({ checkpoint, signers }, trusted) => {
    const checked = signers.map((each) => signedBy(each, checkpoint));
    const known = signers.filter((each) => trusted.some((key) => `${key}` === `${each.key}`));
    if (trusted.length && !known.length) {
      const who = namesOf(signers.map((each) => each.key));
      return { verdict: "unknown-key", why: `${NO_KNOWN_KEY} Who signed: ${who}.`, checked };
    }
    if (!known.some((each) => isLog(each.key, checkpoint))) {
      return { verdict: "intact-ledger-not-checked", why: KEY_CAME_WITH_IT, checked };
    }
    return { verdict: "intact-in-ledger", why: "", checked };
  };

  Object.assign(m, { ALWAYS, KEY_CAME_WITH_IT, NO_KNOWN_KEY, Unreadable, report, cantCheck, altered, isLog, nameOf, judge });
})();
