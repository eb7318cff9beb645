/** Perspectives of the small shop that clients watch, over REST and GraphQL, as the generator would describe them. */
import {
  createService,
  InMemoryStorage,
  perspective,
  permission,
  ScopeFilters,
  UnauthenticatedError,
  type Authenticator,
  type Perspective,
  type SecurityContext,
  type Service,
} from '@svc/core';
import type { Storage } from '@svc/core/storage';
import type { PerspectiveDescriptor } from '@svc/core/testing';
import { graphQL, type GraphQLOptions } from '@svc/graphql';
import { serve, type HostOptions } from '@svc/http';
import { expect, onTestFinished } from 'vitest';
import { described } from '../perspectives/perspective-shop.js';
import { OrderPlaced, shopRegistry } from '../system-events/shop.js';

interface Note {
  note: string;
}

/** The last note of each order; `gone` deletes it. */
@perspective({ route: '/notes', graphQLQuery: 'note', graphQLListQuery: 'notes', indexed: ['note'] })
export class NotePerspective implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note | null {
    return note === 'gone' ? null : { note };
  }
}

/** The same for callers with a permission, of their tenant. */
@perspective({
  route: '/notes',
  graphQLQuery: 'note',
  graphQLListQuery: 'notes',
  indexed: ['note'],
  requires: 'orders:read',
  scope: ScopeFilters.Tenant,
})
class GuardedPerspective extends NotePerspective {}

const sdl = `
  type Query {
    note(id: ID!): Note
    notes(pageSize: Int = 10): NotePage
  }
  type Subscription {
    note(id: ID!, afterEvent: ID): Note
    notes(pageSize: Int = 10, sort: String = "key", filter: NoteFilter, since: String, afterEvent: ID): NoteLiveList
  }
  type Note { note: String! }
  type NotePage { items: [Note!]! }
  type NoteLiveList { place: String keys: [ID!]! changed: [NoteLiveModel!]! }
  type NoteLiveModel { key: ID! model: Note! }
  input NoteFilter { note: NoteCondition }
  input NoteCondition { eq: String gte: String lt: String }
`;

/** Watches the notes; variables are those of the list. */
export const watchNotes = `subscription ($filter: NoteFilter, $sort: String, $pageSize: Int, $since: String, $afterEvent: ID) {
  notes(filter: $filter, sort: $sort, pageSize: $pageSize, since: $since, afterEvent: $afterEvent) {
    place keys changed { key model { note } }
  }
}`;

/** Not started yet. Stopped when the test has ended. */
export function noteService(
  storage: Storage = new InMemoryStorage(),
  noted: typeof NotePerspective = NotePerspective,
  columns: PerspectiveDescriptor<object>['columns'] = [{ name: 'note', type: 'text' }],
): Service {
  const service = createService({
    ...shopRegistry(),
    perspectives: [{ ...described(noted, [OrderPlaced]), columns }],
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  })
    .useStorage(storage)
    .addServicePerspectives();
  onTestFinished(() => service.stop());
  return service;
}

/** Authenticates by name. What is removed from `known` is no longer valid once the cache has forgotten it. */
export function securedNotes(known: ReadonlyMap<string, SecurityContext>, cachedMs = 200): Service {
  const byName: Authenticator = {
    scheme: 'Test',
    credentialIn: (headers) => headers('authorization') ?? null,
    authenticate: (credential) => {
      const context = known.get(credential);
      if (context === undefined) return Promise.reject(new UnauthenticatedError());
      return Promise.resolve({ context, expiresAt: new Date(Date.now() + cachedMs) });
    },
  };
  return noteService(undefined, GuardedPerspective).addAuthentication(byName);
}

/** `ann` of tenant a and `bob` of tenant b may read; `eve` of tenant a may not. */
export function everyone(): Map<string, SecurityContext> {
  return new Map([
    ['ann', caller({ tenantId: 'a', userId: 'ann' }, 'orders:read')],
    ['bob', caller({ tenantId: 'b', userId: 'bob' }, 'orders:read')],
    ['eve', caller({ tenantId: 'a', userId: 'eve' })],
  ]);
}

export function caller(scope: SecurityContext['scope'], ...permissions: string[]): SecurityContext {
  return { scope, roles: new Set(), permissions: new Set(permissions.map(permission)), source: 'test' };
}

export const by = (authorization: string): Record<string, string> => ({ authorization });

/** Serves until the test has ended. */
export async function host(service: Service, options: HostOptions = {}, more: GraphQLOptions = {}): Promise<string> {
  const log = { info: () => {}, error: () => {} };
  const served = await serve(service, { log, graphql: graphQL(more), ...options, port: 0, drain: { noticeMs: 0 } });
  onTestFinished(() => served.stop());
  return served.url;
}

export async function expectSoon(condition: () => unknown): Promise<void> {
  await expect.poll(condition, { timeout: 20_000, interval: 10 }).toBe(true);
}

/** Waits until a client has exactly these notes, in this order. */
export async function expectShown(client: { readonly models: object[] }, ...expected: string[]): Promise<void> {
  const notes = (): unknown[] => client.models.map((model) => (model as Note).note);
  await expect.poll(notes, { timeout: 20_000, interval: 10 }).toEqual(expected);
}
