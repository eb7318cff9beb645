/** What the plugin checks before it serves queries, and what callers are told when one fails. */
import {
  createService,
  InMemoryStorage,
  newId,
  perspective,
  ServiceError,
  ValidationError,
  type Perspective,
  type Service,
} from '@svc/core';
import { type PerspectiveDescriptor } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { OrderPlaced, shopRegistry } from '../system-events/shop.js';
import { described, place } from './perspective-shop.js';

interface Note {
  note: string;
}

@perspective({ route: '/notes', graphQLQuery: 'note', graphQLListQuery: 'notes' })
class NotePerspective implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note {
    return { note };
  }
}

const sdl = `
  type Query { note(id: ID!): Note notes(page: Int = 1, pageSize: Int = 10): NotePage }
  type Note { note: String! }
  type NotePage { items: [Note!]! page: Int! pageSize: Int! hasMore: Boolean! }
`;

let app: FastifyInstance;
const logged: string[] = [];
afterEach(async () => {
  await app.close();
  logged.length = 0;
});

function shop(more: Partial<PerspectiveDescriptor<object>> = {}, text = sdl): Service {
  const perspectives = [{ ...described(NotePerspective, [OrderPlaced]), ...more }];
  const graphql = { sdl: text, inputs: {}, fields: {}, unions: {} };
  const registry = shopRegistry();
  return createService({ ...registry, perspectives, graphql }).useStorage(new InMemoryStorage());
}

async function serve(service: Service): Promise<void> {
  app = Fastify({ logger: { level: 'error', stream: { write: (line) => void logged.push(line) } } });
  await app.register(svc(service, { graphql: graphQL() }));
}

const ask = async (query: string): Promise<unknown> =>
  (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json();

it('masks a model that no longer matches its type, and logs the fix', async () => {
  const service = shop({
    readModel: () => {
      throw new ValidationError([{ pointer: '/secret', detail: 'is not a known property' }]);
    },
  }).addServicePerspectives();
  await serve(service);
  const id = await place(service, 'hello');
  await service.idle();
  for (const query of [`{ note(id: "${id}") { note } }`, '{ notes { items { note } } }']) {
    const answer = await ask(query);
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_ERROR' } }] });
    expect(JSON.stringify(answer)).not.toContain('secret');
  }
  expect(logged.join()).toContain('SVC_UNREADABLE_MODEL');
  expect(logged.join()).toContain('Rebuild the perspective');
  // In the process it is the same failure, and not one of whoever asked.
  const failure: unknown = await service
    .lens(NotePerspective)
    .find(id)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'SVC_UNREADABLE_MODEL' });
});

it('fails the lists that ask for more models than one request may have, those of a batch together', async () => {
  await serve(shop().addServicePerspectives());
  const lists = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: notes(pageSize: 100) { hasMore }`).join(' ')} }`;
  expect(await ask(lists(10))).not.toHaveProperty('errors');
  const error = {
    path: ['a10'],
    message: 'The lists of the request ask for more than 1000 models. Send smaller pages, or several requests.',
    extensions: expect.objectContaining({ code: 'LIMIT_EXCEEDED' }) as object,
  };
  const answer = await ask(lists(11));
  expect(answer).toMatchObject({ data: { a9: { hasMore: false }, a10: null }, errors: [error] });
  const batch = [{ query: lists(6) }, { query: lists(6) }];
  const [first, second] = (await app.inject({ method: 'POST', url: '/graphql', payload: batch })).json<object[]>();
  expect(first).not.toHaveProperty('errors');
  expect(second).toMatchObject({ data: { a3: { hasMore: false }, a4: null, a5: null } });
});

it('masks a failing storage', async () => {
  const storage = new InMemoryStorage();
  const service = createService({
    ...shopRegistry(),
    perspectives: [described(NotePerspective, [OrderPlaced])],
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  })
    .useStorage(storage)
    .addServicePerspectives();
  await serve(service);
  storage.perspectives.listModels = () => Promise.reject(new Error('password=secret'));
  storage.perspectives.readModels = () =>
    Promise.reject(new ServiceError('SVC_STORAGE_UNAVAILABLE', 'db.internal:5432 refused'));
  const answer = await ask(`{ notes { hasMore } note(id: "${newId()}") { note } }`);
  expect(answer).toMatchObject({
    data: { notes: null, note: null },
    errors: expect.arrayContaining([
      expect.objectContaining({
        path: ['notes'],
        extensions: expect.objectContaining({ code: 'INTERNAL_ERROR' }) as object,
      }),
      expect.objectContaining({
        path: ['note'],
        extensions: expect.objectContaining({ code: 'UNAVAILABLE' }) as object,
      }),
    ]) as unknown[],
  });
  expect(JSON.stringify(answer)).not.toMatch(/secret|5432/);
});

it.each([
  ['the perspectives are not registered', () => shop(), 'Call addServicePerspectives()'],
  [
    'the schema lacks a query',
    () => shop({}, sdl.replace('notes(page', 'others(page')).addServicePerspectives(),
    'has no query notes',
  ],
  [
    'the schema has a query without a perspective',
    () => shop({}, sdl.replace('note(id: ID!): Note', 'note(id: ID!): Note more: Note')).addServicePerspectives(),
    'has the GraphQL query more',
  ],
])('does not start when %s', async (_what, make, message) => {
  await expect(serve(make())).rejects.toMatchObject({
    code: 'SVC_NO_GRAPHQL_SCHEMA',
    message: expect.stringContaining(message) as string,
  });
});
