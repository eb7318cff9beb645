/** Values that pass checks in code, which schemas do not describe. A service without these names is covered without them. */
const words = {
  label: (random, marker) => `${random.below(90) + 1} ${marker} St, Springfield, IL 6${random.below(9000) + 1000}`,
  // Few, so that assigned roles are also revoked.
  userId: (random, marker) => `${marker}-${random.below(40)}`,
  sort: (random) => random.pick(['', '-']) + random.pick(['key', 'status', 'customerId', 'placedAt', 'paidAmount']),
  status: (random) => random.pick(['open', 'paid', 'cancelled', 'returned']),
  state: (random) => random.pick(['IL', 'NY', 'CA']),
};

const numbers = {
  page: (random) => random.between(1, 4),
  pageSize: (random) => (random.chance(0.05) ? 100 : random.between(1, 20)),
  // A request that asks to wait may take that long; others must be answered within a second.
  waitSeconds: () => 0,
  quantity: (random) => random.between(1, 9),
};

/** The text of a property; free text contains the marker of the caller's tenant. */
export function textOf(name, random, marker, least = 0, most = 60) {
  const text = words[name]?.(random, marker) ?? `${marker} ${random.hex(random.between(1, 12))}`;
  return text.length < least ? text.padEnd(least, 'x') : text.slice(0, most);
}

export function numberOf(name, random, least = 0, most = 1000) {
  const number =
    numbers[name]?.(random) ??
    (random.chance(0.1) ? random.pick([least, most]) : random.between(least, Math.min(most, least + 50)));
  return Math.min(Math.max(number, least), most);
}

export function decimalOf(random) {
  return random.pick([
    '1',
    '0.01',
    '3.50',
    '19.99',
    String(random.between(1, 9999)),
    `${random.below(99)}.${random.hex(2).replace(/[a-f]/g, '5')}1`,
  ]);
}

export function dateOf(random, now = Date.now()) {
  return new Date(now - random.below(3_600_000)).toISOString();
}

/** Operations that are chosen less often: after a change of a role, the service checks the credentials of all callers again. */
export function weightOf(operation) {
  return / \/roles\//.test(operation) ? 1 : 8;
}
