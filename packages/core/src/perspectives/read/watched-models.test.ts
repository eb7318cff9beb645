import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessControl, type Authenticator } from '../../access/index.js';
import { MessageRegistry, newId } from '../../messages/index.js';
import { permission, ScopeFilters, type PerspectiveScope, type SecurityContext } from '../../security/index.js';
import {
  EventLog,
  InMemoryStorage,
  sortedByKey,
  type ModelChange,
  type PerspectiveColumn,
} from '../../storage/index.js';
import { AccessGranted, NoOpSystemEventEmitter } from '../../system-events/index.js';
import { LiveModels } from '../live/live-models.js';
import type { LiveQuery } from '../live/live-query.js';
import { ModelOwners } from '../model-owner.js';
import { ownerFilters, type PerspectiveAccess } from '../perspective-options.js';
import type { NamedPerspective } from '../perspective.js';
import type { FilterText, ListRequest } from './list-request.js';
import { ModelReader } from './model-reader.js';
import { PerspectiveQuery } from './perspective-query.js';
import { ProcessedEvents } from './processed-events.js';

const columns: PerspectiveColumn[] = [{ name: 'title', type: 'text' }];
const authenticator: Authenticator = { scheme: 'Test', credentialIn: () => null, authenticate: () => Promise.reject() };
const caller = (scope: PerspectiveScope): SecurityContext => ({
  scope,
  roles: new Set(),
  permissions: new Set([permission('orders:read')]),
  source: 'test',
});
const ann = caller({ tenantId: 'acme', userId: 'ann' });
const request = (...filters: readonly FilterText[]): ListRequest => ({
  offset: 0,
  limit: 10,
  filters,
  sort: null,
  after: null,
  issues: [],
});
const filter = (property: string, operator: string, ...values: readonly string[]): FilterText => ({
  property,
  operator,
  values,
  pointer: '/filter',
});

/** Also knows the queries that were watched. */
class WatchedModels extends LiveModels {
  readonly queries: LiveQuery[] = [];

  override watch(query: LiveQuery, place: string | null): ReturnType<LiveModels['watch']> {
    this.queries.push(query);
    return super.watch(query, place);
  }
}

let storage: InMemoryStorage;
let opened: WatchedModels[];
let emitted: object[];

beforeEach(() => {
  storage = new InMemoryStorage();
  storage.perspectives.define([{ perspective: 'Orders', columns }]);
  [opened, emitted] = [[], []];
});
afterEach(() => Promise.all(opened.map((live) => live.stop())));

function setUp(given: Partial<PerspectiveAccess> = {}, isOpen = false) {
  const access: PerspectiveAccess = {
    route: '/orders',
    graphQLQuery: null,
    graphQLListQuery: null,
    requires: permission('orders:read'),
    allowAnonymous: false,
    scope: ScopeFilters.None,
    isShared: false,
    recordGrant: false,
    version: 1,
    ...given,
  };
  const emit = (event: object): Promise<void> => Promise.resolve(void emitted.push(event));
  const emitter = Object.assign(new NoOpSystemEventEmitter(), { emit });
  const control = new AccessControl(isOpen ? [] : [authenticator], emitter, { tenants: null, report: () => {} });
  const named: NamedPerspective = {
    name: 'Orders',
    perspective: { apply: (model) => model, keyOf: () => 'k' },
    events: [],
    columns,
    owners: new ModelOwners(ownerFilters(access, control.isolatesTenants)),
    readModel: (value) => value as object,
    writeModel: JSON.stringify,
  };
  const { perspectives } = storage;
  const log = new EventLog(storage, new MessageRegistry([]));
  const live = new WatchedModels(named, perspectives, () => {});
  opened.push(live);
  const source = {
    log,
    storage: perspectives,
    reader: new ModelReader(named, perspectives),
    processed: new ProcessedEvents('Orders', log, perspectives),
    live,
  };
  const query = new PerspectiveQuery(named, access, control, () => source);
  const store = async (key: string, title = key): Promise<ModelChange> => {
    const scope = { tenantId: 'acme', userId: 'ann' };
    const owner = named.owners.ofEvent({ scope, metadata: {} });
    const id = named.owners.idOf(key, owner);
    const model = { id, key, owner, scope, body: `{"title":"${title}"}`, version: 1, lastEventId: newId() };
    const from = await perspectives.readProgress('Orders');
    const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
    const models = [{ ...model, indexed: { title } }];
    perspectives.commitPerspective({ ...nothing, perspective: 'Orders', from, to: 0, models });
    return { perspective: 'Orders', ids: [id], revision: from.revision + 1 };
  };
  return { query, live, store, control };
}

const grants = (): object[] => emitted.splice(0).filter((event) => event instanceof AccessGranted);

describe('a watched list', () => {
  it.each<[string, FilterText, { key?: string }]>([
    ['the only key of its filter', filter('key', 'eq', 'a'), { key: 'a' }],
    ['no key for a range of keys', filter('key', 'gte', 'a'), {}],
    ['no key for several keys', filter('key', 'in', 'a', 'b'), {}],
    ['no key for the value of a property', filter('title', 'eq', 'a'), {}],
  ])('has %s', async (_what, given, expected) => {
    const { query, live } = setUp();
    await query.watch(request(given), ann, null);
    const { key } = live.queries[0]!;
    expect(key === undefined ? {} : { key }).toEqual(expected);
    expect(live.queries[0]).not.toHaveProperty('offset');
  });

  it('has the changes of models whose property has the value of its filter', async () => {
    const { query, live, store } = setUp();
    const watch = await query.watch(request(filter('title', 'eq', 'new')), ann, null);
    expect(watch.take()).toMatchObject({ keys: [] });
    const told = new Promise<void>((resolve) => watch.listen(resolve, () => {}));
    live.changed(await store('k', 'new'));
    await told;
    expect(watch.take()).toMatchObject({ kind: 'changes', keys: ['k'] });
  });

  it('starts at the place of the client', async () => {
    const { query, store } = setUp();
    await store('k');
    const first = await query.watch(request(), ann, null);
    const { place } = first.take()!;
    expect((await query.watch(request(), ann, place)).take()).toMatchObject({ kind: 'resumed', from: place });
  });
});

describe('a watched model', () => {
  it('is the only one of its key that the caller may see', async () => {
    const { query, live, store } = setUp();
    await store('k');
    await store('l');
    const watch = await query.watchOne('k', ann, null);
    expect(watch!.take()).toMatchObject({ keys: ['k'] });
    expect(live.queries).toEqual([
      {
        owner: { owner: 'acme', values: { tenantId: 'acme' } },
        principals: null,
        key: 'k',
        limit: 1,
        where: [{ column: 'key', operator: 'eq', value: 'k' }],
        sort: sortedByKey,
      },
    ]);
    expect(await query.watchOne('k', caller({ tenantId: 'other' }), null)).toBeNull();
  });

  it('with a key that no model can have is not watched, even at a place', async () => {
    const { query, live } = setUp();
    for (const key of ['\0', 'k'.repeat(401)]) expect(await query.watchOne(key, ann, 'a.1')).toBeNull();
    expect(live.queries).toEqual([]);
  });

  it('that does not exist is watched only by a client that has had it', async () => {
    const { query, live } = setUp({ recordGrant: true });
    expect(await query.watchOne('k', ann, null)).toBeNull();
    expect([live.size, grants()]).toEqual([0, []]);
    expect(await query.watchOne('k', ann, 'a.1')).not.toBeNull();
    expect([live.size, grants().length]).toEqual([1, 1]);
  });
});

describe('a grant', () => {
  it('has the model, and the filters that the models were limited by', async () => {
    const { query, store } = setUp({ recordGrant: true, scope: ScopeFilters.User });
    await store('k');
    const accessFilter = ScopeFilters.User | ScopeFilters.Tenant;
    await query.find('k', ann);
    expect(grants()).toMatchObject([
      { resourceType: 'Orders', resourceId: 'k', usedPermission: 'orders:read', accessFilter },
    ]);
    await query.watchOne('k', ann, null, null, {});
    await query.list(request(), ann);
    const [ofList, ...more] = grants() as AccessGranted[];
    expect([ofList!.resourceId, ofList!.accessFilter, more]).toEqual([undefined, accessFilter, []]);
  });

  it('is counted once for all reads of a request', async () => {
    for (const within of [{}, undefined]) {
      const { query, store, control } = setUp({ recordGrant: true });
      await store('k');
      for (let times = 0; times < 3; times++) {
        await query.list(request(), ann, null, within);
        await query.find('k', ann, null, within);
        (await query.watch(request(), ann, null, null, within)).close();
        (await query.watchOne('k', ann, null, null, within))!.close();
      }
      expect(grants()).toHaveLength(2);
      await control.close();
      // Without a request, each of the other five reads of the list and of the model counts.
      expect(grants()).toMatchObject(within === undefined ? [{ count: 5 }, { count: 5 }] : []);
    }
  });

  it('is not recorded in a service without authentication, nor for a perspective without a permission', async () => {
    const open = setUp({ recordGrant: true }, true);
    await open.store('k');
    expect(await open.query.find('k', null)).not.toBeNull();
    const free = setUp({ recordGrant: true, requires: null });
    expect(await free.query.list(request(), ann)).toMatchObject({ next: null });
    expect(emitted).toEqual([]);
  });
});

describe('what a caller may see', () => {
  it('depends on the scope values that the perspective filters by', async () => {
    const { query } = setUp({ scope: ScopeFilters.User });
    const bob = caller({ tenantId: 'acme', userId: 'bob' });
    expect(await query.visibleTo(ann)).not.toBe(await query.visibleTo(bob));
    expect(await query.visibleTo(ann, 'k')).toBe(await query.visibleTo({ ...ann }));
    const all = setUp({}, true);
    expect(JSON.parse(await all.query.visibleTo(null))).toEqual({ owner: null, principals: null });
  });

  it('is rejected for a caller without the permission, with the key', async () => {
    const { query } = setUp();
    await expect(query.visibleTo({ ...ann, permissions: new Set() }, 'k')).rejects.toMatchObject({
      code: 'SVC_ACCESS_DENIED',
    });
    expect(emitted).toMatchObject([{ resourceType: 'Orders', resourceId: 'k' }]);
  });
});
