/** Generates requests: a valid one for an operation of the service, then changed in one or two ways. */
import { Random } from '../random.mjs';
import { mutatedBytes } from '../mutate/bytes.mjs';
import { mutateFraming } from '../mutate/framing.mjs';
import { mutatedGraphQL } from '../mutate/graphql.mjs';
import { mutateHeaders } from '../mutate/headers.mjs';
import { mutatedJson } from '../mutate/json.mjs';
import { mutateQuery } from '../mutate/query.mjs';
import { mutateTarget } from '../mutate/target.mjs';
import { rejectedCredential } from './callers.mjs';
import { weightOf } from './dictionary.mjs';
import { GraphQLRequests } from './graphql.mjs';
import { restRequest } from './rest.mjs';
import { Values } from './values.mjs';

/** The weights of the kinds of changes. */
const kinds = [
  [22, 'valid'],
  [16, 'json'],
  [8, 'bytes'],
  [12, 'headers'],
  [6, 'credentials'],
  [9, 'target'],
  [9, 'query'],
  [12, 'graphql'],
  [6, 'framing'],
];

export class Generator {
  #seed;
  #found;
  #host;
  #credentials;
  #graphql;
  #operations;
  #paths;

  /** `found` is the result of `discover`, `host` the value of the header. */
  constructor(seed, found, host, credentials) {
    this.#seed = seed;
    this.#found = found;
    this.#host = host;
    this.#credentials = credentials;
    this.#graphql = new GraphQLRequests(found.graphql);
    this.#operations = [
      ...found.rest.map((operation) => [
        weightOf(operation.name),
        (values) => restRequest(operation, values, found.resolve),
      ]),
      ...found.graphql.map((operation) => [
        weightOf(operation.name),
        (values) => this.#graphql.request(operation, values),
      ]),
      ...found.pages.map((operation) => [2, (values) => restRequest(operation, values, found.resolve)]),
    ];
    this.#paths = [...found.rest, ...found.pages].map(({ path }) => path);
  }

  /** The request with that number, from one of the callers, changed in a chosen way, or in the way `given`. */
  request(number, callers, given = null) {
    const random = new Random(this.#seed, number);
    const caller = random.weighted(callers);
    const tenant = caller.tenant ?? random.pick(callers.filter(([, { tenant: of }]) => of !== null))[1].tenant;
    const values = new Values(random, tenant);
    const kind = given ?? random.weighted(kinds);
    const request =
      kind === 'graphql'
        ? this.#graphql.request(random.pick(this.#found.graphql), values)
        : random.weighted(this.#operations)(values);
    Object.assign(request, {
      number,
      kind,
      caller,
      body: request.json === undefined ? null : Buffer.from(JSON.stringify(request.json)),
    });
    request.headers.unshift(['host', this.#host]);
    request.headers.push(['traceparent', `00-${traceIdOf(number)}-${random.hex(15)}1-01`]);
    if (request.body !== null) request.headers.push(['content-type', 'application/json']);
    this.#mutate(kind, request, values, tenant);
    if (given === null && kind !== 'valid' && random.chance(0.15))
      this.#mutate(random.weighted(kinds), request, values, tenant);
    if (!request.isRejected) request.headers.push(caller.header);
    request.target = targetOf(request);
    request.foreignIds = values.foreignIds;
    return request;
  }

  #mutate(kind, request, values, tenant) {
    const { random } = values;
    if (kind === 'json' && request.json !== undefined) request.body = Buffer.from(mutatedJson(request.json, random));
    else if (kind === 'bytes' && request.body !== null) request.body = mutatedBytes(request.body, random);
    else if (kind === 'headers') mutateHeaders(request, random, tenant);
    else if (kind === 'target') mutateTarget(request, random, this.#paths);
    else if (kind === 'query') mutateQuery(request, random, values);
    else if (kind === 'framing') mutateFraming(request, random);
    else if (kind === 'graphql' && request.json?.query !== undefined) {
      const more = random.pick(this.#found.graphql);
      const makeBody = () => this.#graphql.body(more, values);
      request.body = Buffer.from(mutatedGraphQL(request.json, random, makeBody));
    } else if (kind === 'credentials' && !request.isRejected) {
      request.isRejected = true;
      request.headers.push(...rejectedCredential(request.caller, this.#credentials, random));
    }
  }
}

/** The trace id of a request, by which a line of the service's log leads to the request. */
export function traceIdOf(number) {
  return `f022${number.toString(16).padStart(28, '0')}`;
}

/** The number of the request with a trace id; null if there is none. */
export function numberOfTraceId(traceId) {
  return /^f022[0-9a-f]{28}$/.test(traceId) ? Number.parseInt(traceId.slice(4), 16) : null;
}

function targetOf({ path, query, rawQuery }) {
  const parts = query.map(([name, text]) => `${encode(name)}=${encode(text)}`);
  if (rawQuery !== undefined) parts.push(rawQuery);
  // Bytes that a target cannot contain would make it another request.
  return [path, ...(parts.length === 0 ? [] : [parts.join('&')])].join('?').replaceAll(/[\s\0]/g, '');
}

function encode(text) {
  // Half of a surrogate pair has no encoding; the bytes that some clients send for it are not UTF-8.
  return text.replaceAll(/[^\w.~-]/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80',
  );
}
