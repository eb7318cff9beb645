/** A parcel that the service of these tests takes, and what asks for it over GraphQL. */

export const parcel = {
  id: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  weight: '12.345678901234567890123',
  sent: '2026-01-31T12:00:00.000Z',
  count: 9_007_199_254_740_991,
  small: 3,
  ratio: 0.5,
  fragile: true,
  speed: 'fast',
  state: 'in-transit',
  level: 2,
  wait: 'PT1.5S',
  mail: 'a@example.com',
  tags: ['a', 'b'],
  sizes: [1, 2.5],
  days: { monday: '2026-02-02T00:00:00.000Z' },
  code: [1, 2],
  extra: { any: ['thing', null] },
  maybe: null as string | null,
  insurance: { kind: 'full', sum: '7.00' } as Record<string, unknown>,
  boxes: [{ label: 'A', inside: [{ label: 'B', inside: [], lid: { label: 'C', inside: [] } }] }] as unknown,
};

export type Body = Record<string, unknown>;

export const mutation = `mutation ($command: SendParcelInput!) { sendParcel(command: $command) {
  id weight sent count small ratio fragile speed state level wait mail tags sizes days code extra maybe note toString
  insurance {
    ... on InsuranceNone { kind } ... on InsuranceFull { kind sum } ... on Partial_ { kind parts until }
  }
  boxes { label inside { label inside { label } lid { label inside { label } lid { label } } } lid { label } }
} }`;

const keys: Readonly<Record<string, string>> = { none: 'none', full: 'full', 'by-part': 'byPart' };

/** GraphQL callers name the arm of a union by a key instead of a tag. */
export function inGraphQL(body: Body): Body {
  const { insurance } = body;
  if (typeof insurance !== 'object' || insurance === null || !('kind' in insurance)) return body;
  const { kind, ...rest } = insurance;
  const key = keys[String(kind)];
  return key === undefined ? body : { ...body, insurance: { [key]: rest } };
}
