// What ties a vault's chain to the instance's log: the part that receipt files, bundles and conversations share
// (apps/ledger/format/pinned.py, encoding.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { Altered, expect, within } = m;
  const PINNED_MEMBERS = ["segment", "leaf", "proof", "keys"];
  const LEAF_MEMBERS = ["index", "tag", "seq", "chain_hash", "pseudonym_key"];
  const MOST_RECEIPTS = 2n ** 53n - 1n;
  const NOT_TO_THE_LEAF = {
    tag: "the leaf's tag is not this vault's under this pseudonym key",
    seq: "the receipt's number and the digests that follow do not add up to the leaf's",
    chain_hash: "the chain does not lead from the receipt to the leaf's chain hash",
  };

  // ---------------------------------------------------------------- a chain
  const genesis = (vault) => m.sha256(m.octets(`muniment-chain/1\n${vault}\n`, "a vault"));
  const nextHash = (previous, digest) => m.sha256(previous, digest);
  const hyphenated = (typed) => typed.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

  // ---------------------------------------------------------------- reading
  // What `act` throws as malformed or unproven, as an alteration at this place.
  const at = (where, act) => {
    try {
      return act();
    } catch (problem) {
      if (problem instanceof m.Malformed || problem instanceof m.Unproven) throw new Altered(where, problem.message);
      throw problem;
    }
  };
  const readLeaf = (found, where) => {
    const said = m.anObject(found, LEAF_MEMBERS, where);
    const index = m.aNumber(said.get("index"), within(where, "index"), m.MOST - 1n);
    const seq = m.aNumber(said.get("seq"), within(where, "seq"), MOST_RECEIPTS);
    expect(seq !== 0n, within(where, "seq"), "the first receipt is number 1");
    const [tag, chainHash, key] = ["tag", "chain_hash", "pseudonym_key"].map((name) =>
      m.aHex(said.get(name), within(where, name)),
    );
    return [{ tag, seq, chain_hash: chainHash }, key, index];
  };
  const readProof = (found, where) => {
    const text = m.aText(found, where);
    const proof = at(where, () => m.parseProof(m.octets(text, "a proof")));
    expect(!proof.extra.length, where, "no extra data belongs in it: nobody vouches for that");
    return proof;
  };
  const readKeys = (found, where) => {
    expect(found instanceof Map, where, "this must be a JSON object");
    return [...found].map(([name, vkey]) => {
      const place = within(where, m.cut(name));
      const text = m.aText(vkey, place);
      const key = at(place, () => m.VerifierKey.parse(text));
      expect(key.hexId === name, place, "a key is listed under its id in hex");
      return key;
    });
  };
  const readPinned = (found, where = "") => {
    const segment = m.aList(found.get("segment"), within(where, "segment"));
    const [leaf, pseudonymKey, index] = readLeaf(found.get("leaf"), within(where, "leaf"));
    const digests = segment.map((each, place) => m.aHex(each, within(where, `segment[${place}]`)));
    const proof = readProof(found.get("proof"), within(where, "proof"));
    expect(proof.index === index, within(where, "leaf.index"), `the proof is for index ${proof.index}`);
    return { segment: digests, leaf, pseudonymKey, proof, keys: readKeys(found.get("keys"), within(where, "keys")) };
  };

  // ---------------------------------------------------------------- checking
  // The checkpoint, with every signature on it checked under the keys in the file.
  const standingOf = (pinned, where = "") => {
    const place = within(where, "proof");
    const { checkpoint, note } = at(place, () => m.parseSigned(pinned.proof.checkpoint));
    const signers = at(place, () => m.checkSignatures(note, pinned.keys));
    for (const each of note.signatures) {
      const listed = pinned.keys.some((key) => key.name === each.name && key.id === each.id);
      expect(listed, within(where, "keys"), `${each.name}+${m.hex8(each.id)}, which signed, is not among them`);
    }
    for (const key of pinned.keys) {
      const signed = signers.some((each) => `${each.key}` === `${key}`);
      expect(signed, within(where, `keys.${key.hexId}`), "this key has not signed the checkpoint");
    }
    const bySelf = signers.some((each) => m.isLog(each.key, checkpoint));
    expect(bySelf, within(where, "keys"), `the log itself, ${checkpoint.origin}, has not signed the checkpoint`);
    const cosigned = signers.some((each) => each.key.type === m.COSIGNATURE);
    return { checkpoint, signed: pinned.proof.checkpoint, signers, cosigned };
  };

  const isIn = (tree, proof, leaf) => {
    try {
      const hash = m.leafHash(m.leafBytes(leaf.tag, leaf.seq, leaf.chain_hash));
      m.checkInclusion(hash, proof.index, tree.size, proof.hashes, tree.root);
    } catch (problem) {
      if (problem instanceof m.Unproven) return false;
      throw problem;
    }
    return true;
  };
  const sameLeaf = (one, other, name) =>
    name === "seq" ? one.seq === other.seq : m.same(one[name], other[name]);

  // Is the chain of this vault (a hyphenated UUID), at this seq, under a leaf of the tree.
  const hold = (pinned, tree, vault, seq, chainHash, where = "") => {
    const last = pinned.segment.reduce(nextHash, chainHash);
    const sum = seq + BigInt(pinned.segment.length);
    const made = {
      tag: m.hmac(pinned.pseudonymKey, m.octets(vault, "a vault")),
      seq: sum < MOST_RECEIPTS ? sum : MOST_RECEIPTS,
      chain_hash: last,
    };
    const saidHolds = isIn(tree, pinned.proof, pinned.leaf), madeHolds = isIn(tree, pinned.proof, made);
    const name = ["tag", "seq", "chain_hash"].find((each) => !sameLeaf(made, pinned.leaf, each));
    if (!name) {
      expect(saidHolds, within(where, "proof"), "its hashes do not lead from the leaf to the checkpoint's root");
      return;
    }
    const vouched = saidHolds && !madeHolds; // the log vouches for the leaf: what should lead to it does not
    const place = vouched ? (name === "tag" ? "leaf.pseudonym_key" : "segment") : `leaf.${name}`;
    throw new Altered(within(where, place), NOT_TO_THE_LEAF[name]);
  };

  Object.assign(m, { PINNED_MEMBERS, MOST_RECEIPTS, genesis, nextHash, hyphenated, at, readPinned, standingOf, hold });
})();
