import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccessControl, AccessDeniedError, UnauthenticatedError } from '../../access/index.js';
import type { Uuid } from '../../json/index.js';
import { MessageRegistry, newId } from '../../messages/index.js';
import { anonymous, permission, runAs, runAsHost, ScopeFilters, type SecurityContext } from '../../security/index.js';
import {
  EventLog,
  InMemoryStorage,
  type IndexedModel,
  type PerspectiveColumn,
  type StoppedStream,
} from '../../storage/index.js';
import { AccessDenied, AccessGranted } from '../../system-events/index.js';
import { LiveModels } from '../live/live-models.js';
import { ModelOwners } from '../model-owner.js';
import { ownerFilters, type PerspectiveAccess } from '../perspective-options.js';
import { accessWith, authenticator, caller } from '../testing/trial-access.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { appendEvent } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { filterBy, listRequest } from '../testing/trial-request.js';
import { modelSource } from '../testing/trial-source.js';
import { PerspectiveLens } from './lens.js';
import { ModelAccess } from './model-access.js';
import type { ModelSource } from './model-source.js';
import { PerspectiveQuery } from './perspective-query.js';

interface Order {
  readonly title: string;
}

const columns: PerspectiveColumn[] = [{ name: 'title', type: 'text' }];
const ann = caller({ tenantId: 'acme', userId: 'ann' }, 'orders:read', 'system:read');
const bob = caller({ tenantId: 'other', userId: 'bob' }, 'orders:read');

let storage: InMemoryStorage;
let log: EventLog;
let emitted: object[];
let sources: { actor: SecurityContext | null; tenant: string | undefined }[];
let opened: LiveModels[];

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, new MessageRegistry([]));
  [emitted, sources, opened] = [[], [], []];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.map((live) => live.stop()));
});

interface Setup {
  readonly access?: Partial<PerspectiveAccess>;
  readonly isOpen?: boolean;
  readonly hasKeys?: boolean;
}

function setUp({ access: given = {}, isOpen = false, hasKeys = true }: Setup = {}) {
  const access = accessWith(given);
  const control = new AccessControl(isOpen ? [] : [authenticator], emitterTo(emitted), {
    tenants: null,
    report: () => {},
  });
  const named = namedPerspective({
    name: 'Orders',
    perspective: { apply: (model) => model, ...(hasKeys && { keyOf: () => 'k' }) },
    columns,
    owners: new ModelOwners(ownerFilters(access, control.isolatesTenants)),
  });
  const { perspectives } = storage;
  perspectives.define([{ perspective: 'Orders', columns, hash: 'h', version: 1 } as never]);
  const live = new LiveModels(named, perspectives, () => {});
  opened.push(live);
  const source = modelSource(named, log, perspectives, live);
  const models = (actor: SecurityContext | null, tenant?: string): ModelSource => {
    sources.push({ actor, tenant });
    return source;
  };
  const query = new PerspectiveQuery(named, access, control, models);
  const modelAccess = new ModelAccess(named, access, control);
  const lens = new PerspectiveLens<Order>({ named, models, access: modelAccess, control });
  const store = async (key: string, scope: Record<string, string> | null, body: string | null = titled(key)) => {
    const owner = named.owners.ofEvent({ scope, metadata: {} });
    const id = hasKeys ? named.owners.idOf(key, owner) : key;
    const indexed = { title: body === null ? null : (JSON.parse(body) as Order).title };
    await commit([indexedModel(key, { id, owner, scope, body, indexed })]);
  };
  return { query, lens, store, processed: source.processed, live };
}

const titled = (title: string): string => JSON.stringify({ title });

async function commit(models: readonly IndexedModel[], to = -1, stopped: readonly StoppedStream[] = []): Promise<void> {
  await commitChanges(storage.perspectives, 'Orders', { to, models, stopped });
}

function append(streamId = newId(), tenantId: string | null = 'acme'): Uuid {
  const scope = tenantId === null ? null : { tenantId };
  return appendEvent(storage, { type: 'test.Happened', streamId, scope }).id;
}

describe('a caller', () => {
  it('sees the models of its tenant only', async () => {
    const { query, store } = setUp();
    await store('k', { tenantId: 'acme' });
    await store('l', { tenantId: 'other' });
    expect(await query.find('k', ann)).toBe(titled('k'));
    expect(await query.find('l', ann)).toBeNull();
    expect(await query.find('\0', ann)).toBeNull();
    expect(await query.list(listRequest(), ann)).toEqual({ items: [titled('k')], next: null });
    expect(sources.at(-1)).toEqual({ actor: ann, tenant: undefined });
  });

  it('finds a model by the id of its stream only if it belongs to its tenant', async () => {
    const { query, store } = setUp({ hasKeys: false });
    await store('k', { tenantId: 'acme' });
    expect([await query.find('k', ann), await query.find('k', bob)]).toEqual([titled('k'), null]);
  });

  it('finds a model by the id of its stream in upper case, also in lists and live', async () => {
    const { query, store } = setUp({ hasKeys: false });
    const id = newId();
    await store(id, { tenantId: 'acme' });
    const upper = id.toUpperCase();
    expect(await query.find(upper, ann)).toBe(titled(id));
    for (const filters of [[filterBy('key', 'eq', upper)], [filterBy('key', 'in', upper, 'other')]]) {
      expect((await query.list(listRequest({ filters }), ann)).items).toEqual([titled(id)]);
      const list = await query.watch(listRequest({ filters }), ann, null);
      expect(list.isEmpty).toBe(false);
      list.close();
    }
    const one = await query.watchOne(upper, ann, null);
    expect(one?.isEmpty).toBe(false);
    one?.close();
  });

  it('finds a model by a key of its own only as it is written', async () => {
    const { query, store } = setUp();
    const key = newId().toUpperCase();
    await store(key, { tenantId: 'acme' });
    expect(await query.find(key, ann)).toBe(titled(key));
    expect(await query.find(key.toLowerCase(), ann)).toBeNull();
  });

  it('reads page by page', async () => {
    const { query, store } = setUp();
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store(key, { tenantId: 'acme' });
    const first = await query.list(listRequest({ limit: 2 }), ann);
    expect(first.items).toEqual(['a', 'b'].map(titled));
    const second = await query.list(listRequest({ limit: 2, after: first.next }), ann);
    expect(second.items).toEqual(['c', 'd'].map(titled));
    const third = await query.list(listRequest({ limit: 2, after: second.next }), ann);
    expect(third).toEqual({ items: [titled('e')], next: null });
    expect((await query.list(listRequest({ limit: 5 }), ann)).next).toBeNull();
    const filters = [{ property: 'title', operator: 'gte', values: ['d'], pointer: '/filter' }];
    expect((await query.list(listRequest({ filters, sort: '-title' }), ann)).items).toEqual(['e', 'd'].map(titled));
    await expect(query.list(listRequest({ sort: 'x' }), ann)).rejects.toMatchObject({ code: 'SVC_INVALID_MESSAGE' });
  });

  it('must authenticate, unless anonymous callers are allowed or nothing requires it', async () => {
    const { query } = setUp();
    for (const work of [
      () => query.find('k', null),
      () => query.list(listRequest(), null),
      () => query.authorize(null),
      () => query.visibleTo(null),
      () => query.watch(listRequest(), null, null),
      () => query.watchOne('k', null, null),
    ]) {
      await expect(work()).rejects.toThrow(UnauthenticatedError);
    }
    const allowed = setUp({ access: { allowAnonymous: true, isShared: true } });
    await allowed.store('k', null);
    expect(await allowed.query.find('k', null)).toBe(titled('k'));
    expect(sources.at(-1)!.actor).toBe(anonymous);
    const open = setUp({ isOpen: true });
    await open.store('m', { tenantId: 'acme' });
    expect(await open.query.find('m', null)).toBe(titled('m'));
    expect(sources.at(-1)!.actor).toBeNull();
  });

  it('needs the permission that the perspective requires', async () => {
    const { query } = setUp({ access: { requires: permission('orders:read') } });
    await query.authorize(ann, 'k');
    await expect(query.authorize(caller({ tenantId: 'acme' }), 'k')).rejects.toThrow(AccessDeniedError);
    const [denied] = emitted;
    expect(denied).toBeInstanceOf(AccessDenied);
    expect(denied).toMatchObject({ resourceType: 'Orders', resourceId: 'k' });
    await expect(query.authorize(caller({ tenantId: 'acme' }))).rejects.toThrow(AccessDeniedError);
    expect(emitted[1]).toMatchObject({ resourceType: 'Orders' });
  });

  it('needs the scope values that the perspective filters by', async () => {
    const scope = ScopeFilters.Principal | ScopeFilters.User;
    const { query, store } = setUp({ access: { scope } });
    await store('k', { tenantId: 'acme', userId: 'ann' });
    await store('l', { tenantId: 'acme', userId: 'eve', allowedPrincipals: 'staff' });
    const member = caller({ tenantId: 'acme', userId: 'ann', allowedPrincipals: ['staff'] });
    const guest = caller({ tenantId: 'acme', userId: 'guest', allowedPrincipals: ['guests'] });
    expect([await query.find('k', member), await query.find('l', member)]).toEqual([titled('k'), titled('l')]);
    expect([await query.find('k', guest), await query.find('l', guest)]).toEqual([null, null]);
    expect((await query.list(listRequest(), guest)).items).toEqual([]);
    await expect(query.find('k', caller({ tenantId: 'acme' }))).rejects.toThrow(AccessDeniedError);
    expect(emitted).toMatchObject([{ reason: 'ScopeViolation', resourceType: 'Orders', resourceId: 'k' }]);
    const allowed = setUp({ access: { scope, allowAnonymous: true } });
    await expect(allowed.query.find('k', null)).rejects.toThrow(UnauthenticatedError);
  });

  it('that may see other models has another string for what it sees', async () => {
    const { query } = setUp();
    expect(await query.visibleTo(ann)).not.toBe(await query.visibleTo(bob));
    expect(await query.visibleTo(ann)).toBe(await query.visibleTo({ ...ann }));
  });

  it('is recorded with what it was granted, if it saw something', async () => {
    const access = { requires: permission('orders:read'), recordGrant: true };
    const { query, store } = setUp({ access });
    await store('k', { tenantId: 'acme' });
    const grants = (): object[] => emitted.splice(0).filter((event) => event instanceof AccessGranted);
    await query.find('none', ann);
    expect(grants()).toEqual([]);
    await query.find('k', ann, null, {});
    expect(grants()).toMatchObject([{ resourceType: 'Orders', resourceId: 'k' }]);
    const within = {};
    await query.list(listRequest(), ann, null, within);
    await query.list(listRequest(), ann, null, within);
    const [granted, ...more] = grants();
    expect(granted).toMatchObject({ resourceType: 'Orders', scope: { tenantId: 'acme' } });
    expect(granted).not.toHaveProperty('resourceId', 'k');
    expect(more).toEqual([]);
    const watching = setUp({ access });
    (await watching.query.watch(listRequest(), ann, null, null, {})).close();
    expect(grants()).toHaveLength(1);
    (await watching.query.watchOne('k', ann, null, null, {}))!.close();
    expect(grants()).toMatchObject([{ resourceId: 'k' }]);
    const silent = setUp({ access: { ...access, recordGrant: false } });
    await silent.query.find('k', ann);
    expect(grants()).toEqual([]);
  });

  it('can wait for its event before it reads', async () => {
    const { query, store, processed } = setUp();
    const wait = { eventId: append(), timeoutMs: 10_000 };
    const works = [
      () => query.find('k', ann, wait),
      async () => (await query.list(listRequest(), ann, wait)).items[0],
      async () => (await query.watch(listRequest(), ann, null, wait)).take(),
      async () => (await query.watchOne('k', ann, null, wait))?.take(),
    ];
    let done = 0;
    const running = works.map((work) => work().finally(() => done++));
    // Long enough for a read that does not wait.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(0);
    await store('k', { tenantId: 'acme' });
    await commit([], 0);
    processed.tell({ sequence: 0 });
    const page = expect.objectContaining({ keys: ['k'] }) as object;
    expect(await Promise.all(running)).toEqual([titled('k'), titled('k'), page, page]);
    const foreign = query.find('k', bob, wait);
    await expect(foreign).rejects.toMatchObject({ code: 'SVC_INVALID_MESSAGE' });
  });
});

describe('a watch', () => {
  it('of a list has the models of that list', async () => {
    const { query, store, live } = setUp();
    for (const key of ['a', 'b', 'c']) await store(key, { tenantId: 'acme' });
    await store('z', { tenantId: 'other' });
    const watch = await query.watch(listRequest({ limit: 2, sort: '-key' }), ann, null);
    expect(watch.take()).toMatchObject({ kind: 'page', keys: ['c', 'b'], isReset: false });
    const filters = [{ property: 'key', operator: 'eq', values: ['a'], pointer: '/filter' }];
    const one = await query.watch(listRequest({ filters }), ann, null);
    expect(one.take()).toMatchObject({ keys: ['a'] });
    // A change of another model does not concern it.
    const list = vi.spyOn(storage.perspectives, 'listModels');
    await store('b', { tenantId: 'acme' }, titled('changed'));
    const [changed] = (await storage.perspectives.findModels('Orders', 'b', 1)).map(({ id }) => id);
    const told = new Promise<void>((resolve) => watch.listen(resolve, () => {}));
    live.changed({ ids: [changed!], revision: null } as never);
    await told;
    expect(list).toHaveBeenCalledTimes(1);
    await expect(query.watch(listRequest({ sort: 'x' }), ann, null)).rejects.toMatchObject({
      code: 'SVC_INVALID_MESSAGE',
    });
  });

  it('of one model exists while there is one, or the client has one', async () => {
    const { query, store, live } = setUp();
    expect(await query.watchOne('k', ann, null)).toBeNull();
    expect(await query.watchOne('\0', ann, null)).toBeNull();
    expect(live.size).toBe(0);
    const removed = await query.watchOne('k', ann, 'a.1');
    expect(removed!.take()).toMatchObject({ kind: 'page', isReset: true, keys: [] });
    await store('k', { tenantId: 'acme' });
    await store('l', { tenantId: 'acme' });
    expect((await query.watchOne('k', ann, null))!.take()).toMatchObject({ keys: ['k'] });
    expect(live.size).toBe(2);
  });
});

describe('a lens', () => {
  it('reads for the caller of the request, or everything for the host', async () => {
    const { lens, store } = setUp();
    await store('k', { tenantId: 'acme' });
    await store('l', { tenantId: 'other' });
    expect(await runAs(ann, () => lens.find('k'))).toEqual({ title: 'k' });
    expect(await runAs(ann, () => lens.find('l'))).toBeNull();
    expect(await runAs(ann, () => lens.list())).toEqual([{ title: 'k' }]);
    expect(await runAs(ann, () => lens.count())).toBe(1);
    expect(await runAsHost(() => lens.list())).toHaveLength(2);
    expect(await runAsHost(() => lens.count({ where: { title: 'l' } }))).toBe(1);
    expect(await runAsHost(() => lens.find('none'))).toBeNull();
    expect(await runAsHost(() => lens.find('l'))).toEqual({ title: 'l' });
  });

  it('of an owner reads only its models, and none of another tenant for a caller', async () => {
    const { lens, store } = setUp();
    await store('k', { tenantId: 'acme' }, titled('of acme'));
    await store('k', { tenantId: 'other' }, titled('of other'));
    await expect(runAsHost(() => lens.find('k'))).rejects.toMatchObject({ code: 'SVC_AMBIGUOUS_KEY' });
    const other = lens.of({ tenantId: 'other' });
    expect(await runAsHost(() => other.find('k'))).toEqual({ title: 'of other' });
    expect(sources.at(-1)).toEqual({ actor: null, tenant: 'other' });
    expect(await runAsHost(() => other.list())).toEqual([{ title: 'of other' }]);
    expect(await runAs(bob, () => other.find('k'))).toEqual({ title: 'of other' });
    expect(await runAs(ann, () => other.find('k'))).toBeNull();
    expect(await runAs(ann, () => other.page())).toEqual({ items: [], next: null });
    expect(await runAs(ann, () => other.count())).toBe(0);
  });

  it('reads pages of a limited size', async () => {
    const { lens, store } = setUp();
    for (let i = 10; i < 22; i++) await store(`${i}`, { tenantId: 'acme' });
    const list = vi.spyOn(storage.perspectives, 'listModels');
    const first = await runAs(ann, () => lens.page());
    expect([first.items.length, first.items[0]]).toEqual([10, { title: '10' }]);
    const rest = await runAs(ann, () => lens.page({ after: first.next }));
    expect(rest).toEqual({ items: [{ title: '20' }, { title: '21' }], next: null });
    expect(await runAs(ann, () => lens.list({ offset: 11, limit: 5, sort: 'title' }))).toEqual([{ title: '21' }]);
    expect(await runAs(ann, () => lens.list({ offset: -1, limit: -1 }))).toEqual([]);
    await runAs(ann, () => lens.list({ limit: 5_000 }));
    expect(list.mock.lastCall![1]).toMatchObject({ offset: 0, limit: 1_001 });
    expect(await runAs(ann, () => lens.list({ where: { title: { lt: '12' } }, sort: '-title' }))).toEqual([
      { title: '11' },
      { title: '10' },
    ]);
    const bad = runAs(ann, () => lens.page({ after: 'bad' }));
    await expect(bad).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
    // It continues only the list that the token belongs to.
    const other = runAs(ann, () => lens.page({ after: first.next, sort: '-key' }));
    await expect(other).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
  });

  it('waits for an event that the caller can reach', async () => {
    const { lens } = setUp();
    const eventId = append();
    await commit([], 0);
    await runAs(ann, () => lens.waitFor(eventId));
    await expect(runAs(bob, () => lens.waitFor(eventId))).rejects.toMatchObject({ code: 'SVC_INVALID_MESSAGE' });
    const next = append();
    await expect(runAs(ann, () => lens.waitFor(next, { timeoutMs: 1 }))).rejects.toMatchObject({
      code: 'SVC_EVENT_NOT_TAKEN',
    });
  });

  it('returns the stopped streams of the tenant of a caller', async () => {
    const { lens } = setUp();
    const [own, foreign] = [newId(), newId()];
    const stop = { position: 0, errorName: 'Error', errorMessage: '', attempts: 1 };
    const stopped = [
      { ...stop, streamId: own, eventId: append(own) },
      { ...stop, streamId: foreign, eventId: append(foreign, 'other') },
    ];
    await commit([], 1, stopped);
    expect(await runAsHost(() => lens.stoppedStreams())).toEqual(stopped);
    expect(await runAs(ann, () => lens.stoppedStreams())).toEqual(stopped.slice(0, 1));
    await expect(runAs(bob, () => lens.stoppedStreams())).rejects.toThrow(AccessDeniedError);
  });

  it('returns no model that apply has deleted, and rejects one that does not match its type', async () => {
    const { lens, query, store } = setUp();
    await store('gone', { tenantId: 'acme' }, null);
    expect(await runAs(ann, () => lens.find('gone'))).toBeNull();
    expect(await runAs(ann, () => lens.list())).toEqual([]);
    expect(await query.find('gone', ann)).toBeNull();
  });
});
