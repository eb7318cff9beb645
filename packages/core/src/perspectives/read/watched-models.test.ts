import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessControl } from '../../access/index.js';
import { MessageRegistry } from '../../messages/index.js';
import { permission, ScopeFilters } from '../../security/index.js';
import {
  EventLog,
  InMemoryStorage,
  sortedByKey,
  type ModelChange,
  type PerspectiveColumn,
} from '../../storage/index.js';
import { AccessGranted } from '../../system-events/index.js';
import { LiveModels } from '../live/live-models.js';
import type { LiveQuery } from '../live/live-query.js';
import { ModelOwners } from '../model-owner.js';
import { ownerFilters, type PerspectiveAccess } from '../perspective-options.js';
import { accessWith, authenticator, caller } from '../testing/trial-access.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { filterBy, listRequest } from '../testing/trial-request.js';
import { modelSource } from '../testing/trial-source.js';
import type { FilterText, ListRequest } from './list-request.js';
import { PerspectiveQuery } from './perspective-query.js';

const columns: PerspectiveColumn[] = [{ name: 'title', type: 'text' }];
const ann = caller({ tenantId: 'acme', userId: 'ann' }, 'orders:read');
const request = (...filters: readonly FilterText[]): ListRequest => listRequest({ filters });

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
  const access = accessWith({ requires: permission('orders:read'), ...given });
  const control = new AccessControl(isOpen ? [] : [authenticator], emitterTo(emitted), {
    tenants: null,
    report: () => {},
  });
  const named = namedPerspective({
    name: 'Orders',
    perspective: { apply: (model) => model, keyOf: () => 'k' },
    columns,
    owners: new ModelOwners(ownerFilters(access, control.isolatesTenants)),
  });
  const { perspectives } = storage;
  const log = new EventLog(storage, new MessageRegistry([]));
  const live = new WatchedModels(named, perspectives, () => {});
  opened.push(live);
  const source = modelSource(named, log, perspectives, live);
  const query = new PerspectiveQuery(named, access, control, () => source);
  const store = async (key: string, title = key): Promise<ModelChange> => {
    const scope = { tenantId: 'acme', userId: 'ann' };
    const owner = named.owners.ofEvent({ scope, metadata: {} });
    const id = named.owners.idOf(key, owner);
    const model = indexedModel(key, { id, owner, scope, body: `{"title":"${title}"}`, indexed: { title } });
    const from = await commitChanges(perspectives, 'Orders', { to: 0, models: [model] });
    return { perspective: 'Orders', ids: [id], revision: from.revision + 1 };
  };
  return { query, live, store, control };
}

const grants = (): object[] => emitted.splice(0).filter((event) => event instanceof AccessGranted);

describe('a watched list', () => {
  it.each<[string, FilterText, { key?: string }]>([
    ['the only key of its filter', filterBy('key', 'eq', 'a'), { key: 'a' }],
    ['no key for a range of keys', filterBy('key', 'gte', 'a'), {}],
    ['no key for several keys', filterBy('key', 'in', 'a', 'b'), {}],
    ['no key for the value of a property', filterBy('title', 'eq', 'a'), {}],
  ])('has %s', async (_what, given, expected) => {
    const { query, live } = setUp();
    await query.watch(request(given), ann, null);
    const { key } = live.queries[0]!;
    expect(key === undefined ? {} : { key }).toEqual(expected);
    expect(live.queries[0]).not.toHaveProperty('offset');
  });

  it('has the changes of models whose property has the value of its filter', async () => {
    const { query, live, store } = setUp();
    const watch = await query.watch(request(filterBy('title', 'eq', 'new')), ann, null);
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
    expect(await query.watchOne('k', caller({ tenantId: 'other' }, 'orders:read'), null)).toBeNull();
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
    const bob = caller({ tenantId: 'acme', userId: 'bob' }, 'orders:read');
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
