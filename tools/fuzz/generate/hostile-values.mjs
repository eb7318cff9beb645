/** JSON texts that have broken parsers, databases and services before. Each function returns the text of one JSON value. */

const numbers = [
  '0',
  '-0',
  '-1',
  '1e0',
  '1.0',
  '0.1e-400',
  '1e309',
  '-1e309',
  '2147483648',
  '9007199254740993',
  '-9223372036854775809',
  '1e-7',
  '3.0000000000000000000000001',
  '999999999999999999999999999999999999999999',
];

/** Escapes are written out, because a JavaScript string cannot contain everything that a JSON string can. */
const strings = [
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufeff"',
  '"\\uffff"',
  '"\u2028\u2029"',
  '"\u202etxt.exe"',
  '"e\u0301\u0301\u0301"',
  '"👩‍👩‍👧‍👦"',
  '"__proto__"',
  '"constructor"',
  '"true"',
  '"null"',
  '"NaN"',
  '"0x10"',
  '"1e5"',
  '"-0"',
  '"00"',
  '"1."',
  `"'; DROP TABLE svc_events; --"`,
  '"$svc-system"',
  '"00000000-0000-0000-0000-000000000001"',
  '"00000000-0000-0000-0000-000000000000"',
  '"0190A3A4-7D5C-7CC2-8A9B-3F1F6A2B4C5D"',
  '"{0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d}"',
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01T00:00:00+99:99"',
  '"+275760-09-13T00:00:00.001Z"',
  '"../../etc/passwd"',
  '"%00"',
  '"<script>"',
];

const others = ['null', 'true', 'false', '{}', '[]', '[[]]', '{"":""}', '[null]', '{"toString":1}', '{"then":1}'];

export const poisonKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length', ''];

/** The text of a hostile JSON value. */
export function hostileJson(random) {
  return random.weighted([
    [6, () => random.pick(numbers)],
    [8, () => random.pick(strings)],
    [5, () => random.pick(others)],
    [2, () => longString(random)],
    [1, () => longNumber(random)],
    [2, () => deepValue(random)],
    [2, () => poisonedObject(random)],
    [1, () => wideArray(random)],
  ])();
}

function longString(random) {
  const unit = random.pick(['a', '0', '\\u0000', 'é', '\\ud83d\\ude00', '\\"', '\\\\']);
  return `"${unit.repeat(random.pick([17, 101, 256, 401, 501, 1001, 5000, 40_000]))}"`;
}

function longNumber(random) {
  const digits = '9'.repeat(random.pick([16, 40, 400, 1001, 20_000]));
  return random.pick([digits, `0.${digits}`, `-${digits}`, `1e${digits}`, `"${digits}"`, `"-0.${digits}"`]);
}

function deepValue(random) {
  const depth = random.pick([8, 33, 129, 1000, 9000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"lineItems":', '}]'],
  ]);
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

function poisonedObject(random) {
  const key = JSON.stringify(random.pick(poisonKeys));
  return `{${key}:${random.pick(['{"isAdmin":true}', 'null', '[]', '"x"'])},"a":1}`;
}

function wideArray(random) {
  return `[${Array.from({ length: random.pick([2, 101, 1001, 4000]) }, () => random.pick(['0', 'null', '{}'])).join(',')}]`;
}
