/** Changes JSON values: types, sizes, keys and nesting. The result is text, because objects cannot contain duplicate keys or huge numbers. */
import { hostileJson, poisonKeys } from '../generate/hostile-values.mjs';

/** The JSON text of a value, with one to three of its parts changed. */
export function mutatedJson(value, random) {
  const parts = countParts(value);
  const changed = new Set(Array.from({ length: random.between(1, 3) }, () => random.below(parts)));
  let next = 0;
  return write(value);

  function write(part) {
    const isChanged = changed.has(next++);
    if (typeof part !== 'object' || part === null) return isChanged ? mutatedLeaf(part, random) : JSON.stringify(part);
    // All parts below are counted, whether or not they are used.
    const inner = Array.isArray(part)
      ? part.map(write)
      : Object.entries(part).map(([key, item]) => [JSON.stringify(key), write(item)]);
    if (!isChanged) return Array.isArray(part) ? `[${inner.join(',')}]` : objectText(inner);
    return Array.isArray(part) ? mutatedArray(inner, random) : mutatedObject(inner, random);
  }
}

function countParts(value) {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum, item) => sum + countParts(item), 1);
}

function objectText(entries) {
  return `{${entries.map(([key, text]) => `${key}:${text}`).join(',')}}`;
}

function mutatedLeaf(value, random) {
  const text = JSON.stringify(value);
  const ways = [
    [10, () => hostileJson(random)],
    [1, () => `[${text}]`],
    [1, () => `{"value":${text}}`],
    [1, () => `${random.pick([' ', '\n', '\t', '\u00a0', '\ufeff'])}${text}`],
  ];
  if (typeof value === 'string') ways.push([6, () => mutatedString(value, random)]);
  if (typeof value === 'number') {
    ways.push([
      3,
      () => random.pick([`"${value}"`, `${value}.0`, `${value}e0`, `-${value}`, `${value}.5`, `0${value}`]),
    ]);
  }
  return random.weighted(ways)();
}

function mutatedString(value, random) {
  const quoted = (text) => JSON.stringify(text);
  return random.pick([
    () => quoted(value.toUpperCase()),
    () => quoted(` ${value} `),
    () => quoted(value + value),
    () => quoted(value.slice(0, random.below(value.length + 1))),
    () => quoted(value + random.pick(['\0', '\n', '\ud800', '\u200b', "'", '\\', '%', '\ufffd'])),
    () => quoted(value.replaceAll('-', '')),
    // Escaped character by character: equal for a correct parser.
    () =>
      `"${[...Array(value.length).keys()].map((i) => `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`,
    () => `"${value.slice(0, 3)}\\x${value.slice(3).replace(/["\\]/g, '')}"`,
  ])();
}

function mutatedArray(items, random) {
  return random.pick([
    () => hostileJson(random),
    () => '[]',
    () => `[${Array.from({ length: random.pick([2, 50, 1001, 1500]) }, () => items[0] ?? '0').join(',')}]`,
    () => `[${[...items, 'null'].join(',')}]`,
    () => `[[${items.join(',')}]]`,
    () => `{"0":${items[0] ?? '0'},"length":1}`,
    () => `[${items.join(',')},]`,
  ])();
}

function mutatedObject(entries, random) {
  if (entries.length === 0) return hostileJson(random);
  const i = random.below(entries.length);
  const [key, text] = entries[i];
  const others = entries.toSpliced(i, 1);
  return random.pick([
    () => hostileJson(random),
    () => objectText(others),
    () => objectText([...entries, [key, hostileJson(random)]]),
    () => objectText([[key, hostileJson(random)], ...entries]),
    () => objectText([...entries, [JSON.stringify(random.pick(poisonKeys)), hostileJson(random)]]),
    () => objectText([...others, [key.toUpperCase(), text]]),
    () => objectText([...others, [`"\\u00${key.charCodeAt(1).toString(16)}${key.slice(2)}`, text]]),
    () => objectText([...entries, ...Array.from({ length: 300 }, (_, n) => [`"x${n}"`, 'null'])]),
    () => `[${objectText(entries)}]`,
  ])();
}
