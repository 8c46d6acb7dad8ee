// Checking an audit bundle, in constant memory, whatever its length (apps/ledger/format/bundle.py, bundle_parts.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { expect } = m;
  const BUNDLE = "muniment-bundle/1", ERASURE = "erasure.";
  const BATCH = 128n, MOST_EARLIER = 16, MOST_FINDINGS = 20;
  const ALTERED = "This bundle was altered: it is not as it was made of the ledger.";
  const WHAT_FAILS = {
    form: "its line is not written as a receipt's line is",
    gap: "it stands where another number should stand",
    vault: "it is of another vault",
    time: "its time is before the time of a receipt before it",
    chain: "its chain hash does not follow from the one before and its bytes",
  };
  const MAKERS_WORD =
    "When it was made, how far the ledger reached then, and where its other heads stand in the log, is the word of its " +
    "maker.";
  const NOT_TO_THE_END =
    "The log does not hold its last receipts yet: until it does, its instance could still write others in their place.";
  const MANIFEST = ["first", "format", "head", "last", "limits", "made_at", "previous_chain_hash", "vault"];
  const VAULT = /^vlt_[0-9a-f]{32}$/;
  const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/;

  // Receipts that do not hold: a finding for each thing in each of them.
  class AlteredReceipts extends Error {}
  const least = (one, other) => (one < other ? one : other);
  const equal = (one, other) => one.length === other.length && one.every((each, at) => each === other[at]);
  const refuse = (problems) => {
    const found = problems.filter((problem) => problem.what !== "version").slice(0, MOST_FINDINGS);
    if (found.length) {
      const findings = found.map(({ seq, what }) => ({ where: String(seq), what: WHAT_FAILS[what] }));
      throw Object.assign(new AlteredReceipts(), { findings });
    }
    if (!problems.length) return;
    throw new m.Unreadable(`Receipt ${problems[0].seq} is of another version: check the bundle with a newer program.`);
  };

  // ---------------------------------------------------------------- the lines that are no receipts
  const readManifest = (found) => {
    const said = m.anObject(found, MANIFEST, "");
    const [first, last] = ["first", "last"].map((name) => m.aNumber(said.get(name), name, m.MOST_RECEIPTS));
    expect(first >= 1n && first <= last, "first", "a bundle has a receipt, and the first has number 1");
    expect(VAULT.test(m.aText(said.get("vault"), "vault")), "vault", "a vault is named by vlt_ and 32 hex digits");
    expect(TIME.test(m.aText(said.get("made_at"), "made_at")), "made_at", "a time is written as in a receipt");
    const head = m.anObject(said.get("head"), ["seq", "chain_hash"], "head");
    const newest = m.aNumber(head.get("seq"), "head.seq", m.MOST_RECEIPTS);
    expect(newest >= last, "head.seq", `the vault's newest receipt cannot come before receipt ${last}, which is here`);
    return {
      vault: said.get("vault"),
      first,
      last,
      previous: m.aHex(said.get("previous_chain_hash"), "previous_chain_hash"),
      head: { seq: newest, chainHash: m.aHex(head.get("chain_hash"), "head.chain_hash") },
      limits: m.aList(said.get("limits"), "limits").map((each, at) => m.aText(each, `limits[${at}]`)),
    };
  };
  const readPinned = (found) => {
    if (found instanceof Map && found.has("log")) {
      const word = m.anObject(found, ["log"], "").get("log");
      expect(word === m.NOT_YET, "log", `this says nothing but: ${m.NOT_YET}`);
      return null;
    }
    const said = m.anObject(found, ["pinned"], "").get("pinned");
    return m.readPinned(m.anObject(said, m.PINNED_MEMBERS, "pinned"), "pinned");
  };
  const readEarlier = (found) => {
    const said = m.aList(m.anObject(found, ["checkpoints"], "").get("checkpoints"), "checkpoints");
    expect(said.length <= MOST_EARLIER, "checkpoints", `there are at most ${MOST_EARLIER}`);
    return said.map((each, at) => {
      const where = `checkpoints[${at}]`;
      const members = m.anObject(each, ["consistency", "note"], where);
      const consistency = m.aList(members.get("consistency"), `${where}.consistency`).map((hash) => {
        const text = m.aText(hash, `${where}.consistency`);
        return m.at(where, () => m.unbase64Hash(text, "a hash of it"));
      });
      return { consistency, note: m.octets(m.aText(members.get("note"), `${where}.note`), "a note") };
    });
  };
  // Is an earlier checkpoint signed by keys that signed the tree, and a beginning of it. Returns its size.
  const sizeOfEarlier = (earlier, pinned, tree, where) =>
    m.at(where, () => {
      const { checkpoint, note } = m.parseSigned(earlier.note);
      const signers = m.checkSignatures(note, pinned.keys);
      const ours = signers.length === note.signatures.length && checkpoint.origin === tree.origin;
      if (!ours || checkpoint.size >= tree.size) {
        throw new m.Unproven("it is no earlier checkpoint of this log, signed by the keys in this file");
      }
      if (!signers.some((each) => each.key.name === checkpoint.origin)) {
        throw new m.Unproven("the log itself has not signed it");
      }
      m.checkConsistency(checkpoint.size, checkpoint.root, tree.size, tree.root, earlier.consistency);
      return checkpoint.size;
    });
  const readHeads = (found) =>
    m.aList(found.get("heads"), "heads").map((each) => {
      const said = m.anObject(each, ["index", "seq"], "heads");
      const index = m.aNumber(said.get("index"), "heads", m.MOST);
      return { index, seq: m.aNumber(said.get("seq"), "heads", m.MOST_RECEIPTS) };
    });
  const limitsOf = (last, pinnedTo, standing) => {
    const found = [...m.limitsOf(standing), MAKERS_WORD];
    return pinnedTo === null || pinnedTo >= last ? found : [...found, NOT_TO_THE_END];
  };

  // ---------------------------------------------------------------- reading
  const readBeginning = async (lines) => {
    const manifest = await lines.read("manifest");
    const name = manifest instanceof Map ? manifest.get("format") : undefined;
    if (typeof name === "string" && name !== BUNDLE) {
      const cut = [...name].slice(0, 80).join("");
      throw new m.Unreadable(`This bundle is of the format ${cut}, not ${BUNDLE}: check it with another program.`);
    }
    const said = readManifest(manifest);
    const begins = said.first !== 1n || m.same(said.previous, m.genesis(m.hyphenated(said.vault)));
    expect(begins, "previous_chain_hash", "before receipt 1 stands the vault's genesis");
    const pinned = readPinned(await lines.read("pinned"));
    const earlier = readEarlier(await lines.read("checkpoints"));
    if (!pinned) {
      expect(!earlier.length, "checkpoints", "none belongs here while the log holds nothing of it");
      return { said, pinned, standing: null, sizes: [], pinnedTo: null };
    }
    expect(pinned.leaf.seq >= said.first, "pinned.leaf.seq", "the leaf pins none of the receipts here");
    const standing = m.standingOf(pinned, "pinned");
    const sizes = [];
    earlier.forEach((each, at) => {
      const where = `checkpoints[${at}]`;
      const size = sizeOfEarlier(each, pinned, standing.checkpoint, where);
      expect(!sizes.length || size > sizes.at(-1), where, "each is larger than the one before it");
      sizes.push(size);
    });
    return { said, pinned, standing, sizes, pinnedTo: least(pinned.leaf.seq, said.last) };
  };

  const readReceipts = async (lines, { said, pinned }) => {
    const walk = new m.Walk(said.vault, said.first - 1n, said.previous);
    const seen = { count: 0, erasures: [], began: "", atLeaf: null, walk };
    const leaf = pinned?.leaf.seq ?? 0n;
    for (;;) {
      const ends = walk.seq < leaf && leaf < said.last ? leaf : said.last;
      const batch = await lines.receipts(Number(least(BATCH, ends - walk.seq)));
      if (!batch.length) break;
      refuse(
        walk.rows(batch, (receipt) => {
          seen.count += 1;
          seen.began ||= receipt.get("time");
          if (receipt.get("kind").startsWith(ERASURE)) seen.erasures.push(receipt.get("seq"));
        }),
      );
      if (walk.seq === leaf) seen.atLeaf = walk.chainHash;
    }
    const missing = `it is missing: the first line says that receipts go on to ${said.last}`;
    expect(walk.seq >= said.last, String(walk.seq + 1n), missing);
    return seen;
  };

  const checkChain = ({ said, pinned, standing }, { walk, atLeaf }) => {
    const headHolds = said.head.seq !== said.last || m.same(said.head.chainHash, walk.chainHash);
    expect(headHolds, "head.chain_hash", `it is not the chain hash of receipt ${said.last}`);
    if (!pinned) return;
    const { leaf } = pinned;
    const headIsLeaf = leaf.seq !== said.head.seq || m.same(leaf.chain_hash, said.head.chainHash);
    expect(headIsLeaf, "head.chain_hash", "it is not the chain hash that the leaf names");
    const [seq, chainHash] = leaf.seq < said.last ? [leaf.seq, atLeaf] : [said.last, walk.chainHash];
    m.hold(pinned, standing.checkpoint, m.hyphenated(said.vault), seq, chainHash, "pinned");
  };

  // Are the heads in order and in the log. Returns the object of the line after them.
  const checkHeads = async (lines, { said, pinned, standing }) => {
    let last = { index: -1n, seq: said.first - 1n }, among = false;
    let found = await lines.read("heads");
    while (found instanceof Map && found.has("heads")) {
      for (const head of readHeads(m.anObject(found, ["heads"], ""))) {
        const beyond = head.index > last.index && head.seq > last.seq && head.seq <= said.last;
        expect(beyond, "heads", "they are heads of receipts here, each beyond the one before");
        const inTree = standing && head.index < standing.checkpoint.size;
        expect(inTree, "heads", `leaf ${head.index} is not in the tree that pins this bundle`);
        const same = [head.seq === pinned.leaf.seq, head.index === pinned.proof.index];
        expect(same[0] === same[1], "heads", "the leaf that pins this bundle stands elsewhere");
        among ||= same[0];
        last = head;
      }
      found = await lines.read("heads");
    }
    const due = pinned && pinned.leaf.seq <= said.last;
    expect(among || !due, "heads", "the leaf that pins this bundle is not among them");
    return found;
  };

  const checkRest = async (lines, beginning, seen) => {
    const { said, standing, pinnedTo } = beginning;
    const found = await checkHeads(lines, beginning);
    const erasures = m.aList(m.anObject(found, ["erasures"], "").get("erasures"), "erasures");
    const sentence = "these are not the receipts here that say that something was erased";
    expect(equal(erasures, seen.erasures), "erasures", sentence);
    const limits = limitsOf(said.last, pinnedTo, standing);
    expect(equal(said.limits, limits), "limits", "these are not the sentences that belong to such a bundle");
    const digest = lines.digest;
    const last = m.anObject(await lines.read("end", true), ["end"], "").get("end");
    const end = m.anObject(last, ["chain_hash", "digest", "receipts"], "end");
    const count = m.aNumber(end.get("receipts"), "end.receipts", m.MOST);
    expect(count === said.last - said.first + 1n, "end.receipts", "there are another number of receipts");
    const chained = m.same(m.aHex(end.get("chain_hash"), "end.chain_hash"), seen.walk.chainHash);
    expect(chained, "end.chain_hash", "it is not the chain hash of the last receipt");
    const whole = m.same(m.aHex(end.get("digest"), "end.digest"), digest);
    expect(whole, "end.digest", "one of the lines that are no receipts was changed");
    expect(!(await lines.more()), "end", "something stands after the last line");
  };

  // ---------------------------------------------------------------- what is said about it
  const judged = ({ said, standing, pinnedTo }, trusted) => {
    const these = m.span(said.first, said.last), one = said.first === said.last;
    if (!standing) {
      const verdict = trusted.length ? "cant-check" : "intact-ledger-not-checked";
      const follow = one ? "is a link of a chain" : "follow from one another";
      return { verdict, says: `${these} ${follow}. ${m.NOTHING_SIGNED}`, checked: [] };
    }
    const { verdict, why, checked } = m.judge(standing, trusted);
    if (verdict === "intact-ledger-not-checked") {
      const itself = one ? "is unaltered in itself" : "are unaltered in themselves";
      return { verdict, says: `${these} ${itself}. ${why}`, checked };
    }
    if (verdict !== "intact-in-ledger") return { verdict, says: why, checked };
    const lines = said.first === pinnedTo ? "is unaltered and is this line" : "are unaltered and are these lines";
    const says = `${m.span(said.first, pinnedTo)} ${lines} of this vault's ledger`;
    if (pinnedTo === said.last) return { verdict, says: `${says}.`, checked };
    const rest = m.span(pinnedTo + 1n, said.last).toLowerCase();
    const follow = pinnedTo + 1n === said.last ? "follows from that and is" : "follow from that and are";
    return { verdict, says: `${says}; ${rest} ${follow} not in the log yet.`, checked };
  };
  const checkedOf = ({ said, pinned, sizes }) => {
    const found = [
      `${m.span(said.first, said.last)} of ${said.vault}, each one: its members, its number, its time, and that its ` +
        "chain hash follows from the one before.",
    ];
    if (said.first === 1n) found.push("That the chain begins with this vault's first receipt.");
    if (pinned) {
      const { leaf, proof } = pinned;
      found.push(`That the chain leads to receipt ${leaf.seq}, whose hash is leaf ${proof.index} of the log.`);
    }
    if (sizes.length) {
      const earlier = m.counted(sizes.length, "earlier checkpoint"), lead = sizes.length === 1 ? "leads" : "lead";
      found.push(`That ${earlier}, from ${m.counted(sizes[0], "leaf", "leaves")} on, ${lead} to this one.`);
    }
    return found;
  };
  const coverageOf = ({ said, standing, pinnedTo }, { count, began, walk, erasures }) => {
    const found = [`${m.counted(count, "receipt")}, from ${began} to ${walk.time}.`];
    if (said.first > 1n) {
      const bound =
        said.first === 2n
          ? "is not in it; it is bound to it by its hash"
          : "are not in it; they are bound to it by their hashes";
      found.push(`${m.span(1n, said.first - 1n)} ${bound}.`);
    }
    if (said.head.seq > said.last) {
      found.push(`The ledger had ${said.head.seq} receipts; those after ${said.last} are not in it.`);
    }
    if (standing) {
      const tree = standing.checkpoint;
      found.push(`The log ${tree.origin} at ${m.counted(tree.size, "leaf", "leaves")}, up to receipt ${pinnedTo}.`);
    }
    const say = erasures.length === 1 ? "says" : "say";
    if (erasures.length) found.push(`${erasures.length} of them ${say} that something was erased.`);
    return found;
  };

  // Check a bundle, given as a Blob.
  const verifyBundle = async (blob, trusted) => {
    const lines = new m.Lines(blob);
    let beginning, seen;
    try {
      beginning = await readBeginning(lines);
      seen = await readReceipts(lines, beginning);
      checkChain(beginning, seen);
      await checkRest(lines, beginning, seen);
    } catch (problem) {
      if (problem instanceof m.Unreadable) return m.cantCheck("bundle", problem.message);
      if (problem instanceof m.Altered) return m.altered("bundle", ALTERED, problem.finding);
      if (problem instanceof AlteredReceipts) return m.altered("bundle", ALTERED, ...problem.findings);
      throw problem;
    }
    const { verdict, says, checked } = judged(beginning, trusted);
    return m.report("bundle", verdict, says, {
      checked: [...checkedOf(beginning), ...checked],
      coverage: coverageOf(beginning, seen),
      limits: [...beginning.said.limits, ...m.ALWAYS],
      checkpoint: beginning.standing && m.utf8(beginning.standing.signed, "a checkpoint"),
    });
  };

  Object.assign(m, { BUNDLE, verifyBundle });
})();
