/** Requests that follow the OpenAPI document, or differ from it in one respect. */
import * as fc from 'fast-check';
import { operationsOf, type Document, type Parameter, type PlacedOperation } from './document.js';
import { junk, mutated, ValidValues, type KnownValues } from './random-values.js';

export interface ApiRequest extends PlacedOperation {
  /** With query, as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether everything but the body follows the document; the body is judged by its schema. */
  readonly followsDocument: boolean;
}

/** Headers by name, the `Authorization` of callers among them; the first has every permission. */
export type Callers = readonly [string, ...string[]];

type Part<T> = fc.Arbitrary<{ readonly value: T; readonly valid: boolean }>;

export function randomRequests(document: Document, known: KnownValues, callers: Callers): fc.Arbitrary<ApiRequest> {
  const values = new ValidValues(document, known);
  return fc.constantFrom(...operationsOf(document)).chain((placed) =>
    fc
      .record({
        target: targets(placed, values, known),
        headers: headers(placed, values, callers),
        body: bodies(placed, values),
      })
      .map(({ target, headers: sent, body }) => {
        const { method, path, operation } = placed;
        // The service would wait for an unknown event.
        if (target.value.includes('afterEvent')) sent.value['prefer'] = 'wait=0';
        const followsDocument = target.valid && sent.valid;
        return { method, path, operation, target: target.value, headers: sent.value, body, followsDocument };
      }),
  );
}

function targets({ path, operation }: PlacedOperation, values: ValidValues, known: KnownValues): Part<string> {
  const { parameters = [] } = operation;
  const ids = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known.ids).map((value) => ({ value, valid: true })) },
    { weight: 1, arbitrary: part(junk.map(segmentOf), false) },
  );
  const inQuery = parameters.filter((one) => one.in === 'query');
  const query = fc
    .subarray(inQuery, { maxLength: Math.min(3, inQuery.length) })
    .chain((chosen) => fc.tuple(...chosen.map((one) => queryText(one, values, known))));
  const extra = fc.oneof(
    { weight: 12, arbitrary: fc.constant({ value: '', valid: true }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('unknown=1', 'filter[x]=1', 'page=1&page=2').map((value) => ({ value, valid: false })),
    },
  );
  return fc.tuple(ids, query, extra).map(([id, chosen, more]) => {
    const hasId = path.includes('{');
    const parts = [...chosen, more].filter(({ value }) => value !== '');
    const text = parts.map(({ value }) => value).join('&');
    return {
      value: path.replace(/\{.*\}/, id.value) + (text === '' ? '' : `?${text}`),
      // Some parameters exclude each other, which a document cannot say.
      valid: (id.valid || !hasId) && parts.every(({ valid }) => valid) && chosen.length <= 1,
    };
  });
}

function queryText({ name, schema }: Parameter, values: ValidValues, known: KnownValues): Part<string> {
  const text = (value: unknown): string =>
    (Array.isArray(value) ? value : [value])
      .map((one) => `${encodeURIComponent(name)}=${encoded(typeof one === 'string' ? one : JSON.stringify(one))}`)
      .join('&');
  // A token belongs to one list; elsewhere it is invalid.
  const token = fc.constantFrom(...known.tokens).map((value) => ({ value: text(value), valid: false }));
  if (name === 'after') return fc.oneof(token, part(junk.map(text), false));
  return fc.oneof(
    { weight: 4, arbitrary: part(values.of(schema).map(text), true) },
    { weight: 1, arbitrary: part(junk.map(text), false) },
  );
}

function headers(
  { method, operation }: PlacedOperation,
  values: ValidValues,
  callers: Callers,
): Part<Record<string, string>> {
  const [privileged, ...others] = callers;
  const caller = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ value: { authorization: privileged }, valid: true }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...others)
        .map((text) => ({ value: text === '' ? {} : { authorization: text }, valid: false })),
    },
  );
  const type = fc.oneof(
    { weight: 15, arbitrary: fc.constant({ value: { 'content-type': 'application/json' }, valid: true }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          { 'content-type': 'text/plain' },
          {},
          { 'content-type': 'application/json', 'content-encoding': 'x' },
        )
        .map((value) => ({ value, valid: false })),
    },
  );
  const own = (operation.parameters ?? []).filter((one) => one.in === 'header' && one.name !== 'Prefer');
  const given = fc.subarray(own).chain((chosen) =>
    fc.tuple(
      ...chosen.map(({ name, schema }) =>
        part(
          // Without a pattern, it may have characters that no header can have.
          values.of(schema).map((value) => ({
            [name.toLowerCase()]: schema.pattern === undefined ? encoded(String(value)) : String(value),
          })),
          true,
        ),
      ),
    ),
  );
  const keys = fc.oneof(
    { weight: 12, arbitrary: given },
    fc.constant([{ value: { 'idempotency-key': 'not valid ' }, valid: false }]),
  );
  return fc
    .tuple(caller, method === 'POST' ? type : fc.constant({ value: {}, valid: true }), method === 'POST' ? keys : given)
    .map(([first, second, more]) => ({
      value: Object.assign({}, first.value, second.value, ...more.map(({ value }) => value)) as Record<string, string>,
      valid: [first, second, ...more].every(({ valid }) => valid),
    }));
}

function bodies({ operation }: PlacedOperation, values: ValidValues): fc.Arbitrary<string | null> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return fc.constant(null);
  const valid = values.of(schema);
  const broken = fc
    .tuple(valid, fc.nat(), junk, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, at, by, how]) => mutated(value, at, by, how));
  return fc.oneof(
    { weight: 8, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: broken.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom('', '{', '{"a":1}x', '[1,]', `{"a":"${'x'.repeat(1_100_000)}"}`) },
  );
}

function part<T>(values: fc.Arbitrary<T>, valid: boolean): Part<T> {
  return values.map((value) => ({ value, valid }));
}

function segmentOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // An empty segment, and one of dots, is another path.
  return /^\.{0,2}$/.test(text) ? '%zz' : encoded(text);
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
