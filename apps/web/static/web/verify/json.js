// JSON read strictly (apps/ledger/format/members.py): each member once, whole numbers alone, no half a letter. Numbers
// become BigInt and objects Maps, so that every name is only a name, in the file's order.
(() => {
  "use strict";
  const m = globalThis.muniment;
  const DEEPEST = 900, LONGEST_NUMBER = 20;
  const LITERALS = { true: true, false: false, null: null };
  const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
  const BLANK = /[ \t\n\r]*/y;
  const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
  const WORD = /true|false|null/y;
  const NO_NUMBER = /-?Infinity|NaN/y;
  const PLAIN = /[^"\\\u0000-\u001f]*/y;
  const UNIT = /u([0-9a-fA-F]{4})/y;

  const no = (sentence = "this is no JSON, or is cut off within it") => {
    throw new m.Malformed(sentence);
  };

  // The JSON of UTF-8 bytes. Throws Malformed for anything that two readers could take for two things.
  const strictJson = (data) => {
    let text, at = 0, halves = false;
    try {
      text = m.utf8(data, "JSON");
    } catch {
      no();
    }
    const take = (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at = pattern.lastIndex;
      return found;
    };
    const eat = (letter) => {
      take(BLANK);
      if (text[at] !== letter) return false;
      at += 1;
      return true;
    };

    const string = () => {
      let made = "";
      for (;;) {
        made += take(PLAIN)[0];
        const letter = text[at++];
        if (letter === '"') break;
        if (letter !== "\\") no();
        const unit = take(UNIT);
        if (unit) made += String.fromCharCode(parseInt(unit[1], 16));
        else made += ESCAPES[text[at++]] ?? no();
      }
      halves ||= !made.isWellFormed();
      return made;
    };
    const object = (depth) => {
      const made = new Map();
      if (eat("}")) return made;
      let members = 0;
      do {
        if (!eat('"')) no();
        const name = string();
        if (!eat(":")) no();
        made.set(name, value(depth));
        members += 1;
      } while (eat(","));
      if (!eat("}")) no();
      return made.size === members ? made : no("a member stands twice in one object");
    };
    const array = (depth) => {
      const made = [];
      if (eat("]")) return made;
      do made.push(value(depth));
      while (eat(","));
      return eat("]") ? made : no();
    };
    const value = (depth) => {
      if (depth > DEEPEST) no();
      if (eat("{")) return object(depth + 1);
      if (eat("[")) return array(depth + 1);
      if (eat('"')) return string();
      const word = take(WORD);
      if (word) return LITERALS[word[0]];
      if (take(NO_NUMBER)) no("a number must be a whole one");
      const number = take(NUMBER) ?? no();
      if (number[1] || number[2]) no("a number must be a whole one");
      if (number[0] === "-0") no("nought has one spelling");
      if (number[0].length > LONGEST_NUMBER) no("a number is longer than any that belongs here");
      return BigInt(number[0]);
    };

    const found = value(0);
    take(BLANK);
    return at === text.length && !halves ? found : no();
  };

  // RFC 8785 of what was read: names in order, nothing between.
  const jsonText = (found) => {
    if (found instanceof Map) {
      const members = [...found.keys()].sort().map((name) => `${JSON.stringify(name)}:${jsonText(found.get(name))}`);
      return `{${members.join(",")}}`;
    }
    if (Array.isArray(found)) return `[${found.map(jsonText).join(",")}]`;
    return typeof found === "bigint" ? String(found) : JSON.stringify(found);
  };

  // ---------------------------------------------------------------- members
  // A file of ours that is not as we write it: where, and what is wrong there.
  class Altered extends Error {
    constructor(where, what) {
      super(`${where}: ${what}`);
      this.finding = { where, what };
    }
  }
  const expect = (held, where, what) => {
    if (!held) throw new Altered(where, what);
  };
  const cut = (name) => [...name].slice(0, 40).join("");
  const within = (where, name) => (where ? `${where}.${name}` : name);
  const anObject = (found, names, where, optional = []) => {
    expect(found instanceof Map, where, "this must be a JSON object");
    for (const name of names) expect(found.has(name), within(where, name), "this member is missing");
    for (const name of found.keys()) {
      const known = names.includes(name) || optional.includes(name);
      expect(known, within(where, cut(name)), "no such member belongs here");
    }
    return found;
  };
  const aText = (found, where) => {
    expect(typeof found === "string", where, "this must be a string");
    return found;
  };
  const aNumber = (found, where, most) => {
    const held = typeof found === "bigint" && found >= 0n && found <= most;
    expect(held, where, `this must be a whole number from 0 to ${most}`);
    return found;
  };
  const aList = (found, where) => {
    expect(Array.isArray(found), where, "this must be a list");
    return found;
  };
  const aHex = (found, where, size = 32) => {
    const held = typeof found === "string" && found.length === 2 * size && /^[0-9a-f]*$/.test(found);
    expect(held, where, `this must be ${2 * size} lower-case hex digits`);
    return m.unhex(found);
  };

  Object.assign(m, { strictJson, jsonText, Altered, expect, cut, within, anObject, aText, aNumber, aList, aHex });
})();
