/** A request with repeated denials ends early, both executed directly and compiled. */
import {
  AccessDeniedError,
  commandEndpoint,
  createService,
  InMemoryStorage,
  perspective,
  ScopeFilters,
  type Authenticator,
  type Perspective,
  type Service,
} from '@svc/core';
import type { Issues } from '@svc/core/json';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hosting, type Answer, type TrialHost } from './testing/host.js';
import { Count, trialService } from './testing/trial-service.js';

/** Authenticates every caller and permits nothing. */
const everyone: Authenticator = {
  scheme: 'Key',
  header: 'x-key',
  credentialIn: (headers) => headers('x-key') ?? null,
  authenticate: (userId) =>
    Promise.resolve({ context: { scope: { userId }, roles: new Set(), permissions: new Set(), source: 'key' } }),
};

class Forbidden extends Count {}
class Permitted extends Count {}
commandEndpoint<Forbidden, unknown>({ graphQLMutation: 'forbidden', requires: 'counts:write' })(Forbidden);
commandEndpoint<Permitted, unknown>({ graphQLMutation: 'permitted' })(Permitted);

class Reading implements Perspective<{ amount: number }, never> {
  apply(): { amount: number } {
    return { amount: 1 };
  }
}
class ForbiddenReading extends Reading {}
class ScopedReading extends Reading {}
class PermittedReading extends Reading {}
perspective({ graphQLQuery: 'forbidden', requires: 'counts:read' })(ForbiddenReading);
perspective({ graphQLQuery: 'scoped', scope: ScopeFilters.Tenant })(ScopedReading);
perspective({ graphQLQuery: 'permitted' })(PermittedReading);

const sdl = `
  type Query { forbidden(id: ID!): Counted scoped(id: ID!): Counted permitted(id: ID!): Counted }
  type Mutation { forbidden(command: CountInput!): Counted permitted(command: CountInput!): Counted }
  input CountInput { amount: SafeInt!, price: Decimal!, tags: [String!]! }
  type Counted { amount: SafeInt! }
  scalar SafeInt
  scalar Decimal
`;

let executed = 0;

function service(): Service {
  const plain = trialService().registry;
  const commands = [Forbidden, Permitted];
  const [endpoint] = plain.endpoints;
  const receive = ({ amount }: Count): unknown => {
    executed += 1;
    if (amount === 403) throw new AccessDeniedError('PolicyRejected');
    return { amount };
  };
  return createService({
    ...plain,
    messages: commands.map((type) => ({ ...plain.messages[0]!, type: `trial.${type.name}`, class: type })),
    receptors: commands.map((type) => ({ name: type.name, command: type, create: () => ({ receive }) })),
    endpoints: commands.map((type) =>
      Object.assign({}, endpoint, {
        command: type,
        graphQLMutation: type.name.toLowerCase(),
        readRequest: (value: unknown, issues: Issues) =>
          Object.assign(new type(), endpoint!.readRequest(value, issues)),
      }),
    ),
    perspectives: [ForbiddenReading, ScopedReading, PermittedReading].map((type) => ({
      name: type.name,
      class: type,
      events: [],
      readModel: (value) => value as object,
      writeModel: JSON.stringify,
      create: () => new type(),
    })),
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  })
    .useStorage(new InMemoryStorage())
    .addSystemEvents()
    .addServicePerspectives()
    .addAuthentication(everyone);
}

let host: TrialHost;
let trial: Service;
let finish: () => void;
let served: Promise<void>;
/** How often the caller was authorized, and how often denied. */
let authorized: { readonly mock: { readonly calls: readonly unknown[] } };
let denied: typeof authorized;

beforeAll(async () => {
  trial = service();
  await new Promise<void>((ready) => {
    served = hosting({ service: trial }, async (started) => {
      host = started;
      ready();
      await new Promise<void>((end) => (finish = end));
    });
  });
});
afterAll(async () => {
  finish();
  await served;
  await trial.stop();
});
beforeEach(() => {
  vi.restoreAllMocks();
  authorized = vi.spyOn(trial.access, 'authorize');
  denied = vi.spyOn(trial.access, 'deny');
  executed = 0;
});

const post = (body: unknown): Promise<Answer> =>
  host.post(body, { 'content-type': 'application/json', 'x-key': 'ann' });
const mutation = (...fields: (readonly [name: string, amount: number])[]): string =>
  `mutation { ${fields.map(([name, amount], i) => `m${i}: ${name}(command: { amount: ${amount}, price: "1", tags: [] }) { amount }`).join(' ')} }`;
const query = (...names: string[]): string =>
  `{ ${names.map((name, i) => `q${i}: ${name}(id: "1") { amount }`).join(' ')} }`;
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const isDenied = 'You are not allowed to do this.';
const isNotExecuted = 'Not executed: 3 fields of this request were denied before it.';
const messagesOf = ({ errors = [] }: Answer['body']): string[] => {
  expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']));
  return errors.map(({ message }) => message);
};

// Executed directly twice, then compiled.
describe.each([1, 2, 3])('a request that is sent %i times', () => {
  it('has three mutations denied, and executes no later ones', async () => {
    const fields = [...times(10, ['forbidden', 1] as const), ...times(10, ['permitted', 1] as const)];
    const { body } = await post({ query: mutation(...fields) });
    expect(messagesOf(body)).toEqual([...times(3, isDenied), ...times(17, isNotExecuted)]);
    expect(body.data).toEqual(Object.fromEntries(fields.map((_, i) => [`m${i}`, null])));
    expect([authorized.mock.calls.length, denied.mock.calls.length, executed]).toEqual([3, 3, 0]);
  });

  it('has three queries denied, and executes no later ones', async () => {
    const { body } = await post({ query: query(...times(20, 'forbidden')) });
    expect(messagesOf(body).toSorted()).toEqual([...times(17, isNotExecuted), ...times(3, isDenied)]);
    expect([authorized.mock.calls.length, denied.mock.calls.length]).toEqual([3, 3]);
  });

  it('has three queries denied whose scope value is missing', async () => {
    const { body } = await post({ query: query(...times(20, 'scoped')) });
    expect(messagesOf(body).filter((message) => message === isDenied)).toHaveLength(3);
    expect(denied.mock.calls).toHaveLength(3);
  });

  it('returns permitted queries between denied ones', async () => {
    const { body } = await post({ query: query('permitted', ...times(10, 'forbidden'), 'permitted') });
    expect(messagesOf(body)).toHaveLength(10);
    expect(body.errors?.map(({ path }) => path)).not.toContainEqual(['q0']);
    expect(body.errors?.map(({ path }) => path)).not.toContainEqual(['q11']);
    expect(denied.mock.calls).toHaveLength(3);
  });

  it('counts denials by commands', async () => {
    const { body } = await post({ query: mutation(...times(6, ['permitted', 403] as const)) });
    expect(messagesOf(body)).toEqual([...times(3, isDenied), ...times(3, isNotExecuted)]);
    expect(executed).toBe(3);
  });

  it.each([
    ['mutations', mutation(['forbidden', 1], ['forbidden', 2])],
    ['queries', query('forbidden', 'forbidden')],
  ])('has three denied in a batch of %s', async (_what, text) => {
    const { body } = await post(times(10, { query: text }));
    const messages = (body as unknown as Answer['body'][]).flatMap(messagesOf);
    expect(messages.toSorted()).toEqual([...times(17, isNotExecuted), ...times(3, isDenied)]);
    expect([authorized.mock.calls.length, denied.mock.calls.length]).toEqual([3, 3]);
  });

  it('counts from zero with each request', async () => {
    for (let i = 0; i < 5; i++) await post({ query: query('forbidden') });
    expect(denied.mock.calls).toHaveLength(5);
  });
});
