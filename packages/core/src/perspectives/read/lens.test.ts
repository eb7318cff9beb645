import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessControl } from '../../access/index.js';
import { MessageRegistry } from '../../messages/index.js';
import { runAs, runAsHost, ScopeFilters, type PerspectiveScope } from '../../security/index.js';
import { around, EventLog, InMemoryStorage, type PerspectiveStorage } from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import { LiveModels } from '../live/live-models.js';
import { ModelOwners } from '../model-owner.js';
import { accessWith, authenticator, caller } from '../testing/trial-access.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { modelSource } from '../testing/trial-source.js';
import { PerspectiveLens } from './lens.js';
import { ModelAccess } from './model-access.js';

interface Order {
  readonly title: string;
}

const access = accessWith({ route: null });
const owners = new ModelOwners(ScopeFilters.Tenant);
const ann = caller({ tenantId: 'acme' });

let storage: InMemoryStorage;
/** The calls to the storage. */
let calls: string[];
let lens: PerspectiveLens<Order>;
let live: LiveModels;

beforeEach(() => {
  storage = new InMemoryStorage();
  calls = [];
  const { perspectives } = storage;
  perspectives.define([{ perspective: 'Orders', columns: [{ name: 'title', type: 'text' }] }]);
  const control = new AccessControl([authenticator], new NoOpSystemEventEmitter(), { tenants: null, report: () => {} });
  const named = namedPerspective({
    name: 'Orders',
    perspective: { apply: (model) => model, keyOf: () => 'k' },
    columns: [{ name: 'title', type: 'text' }],
    owners,
    readModel(value, issues) {
      if (typeof value === 'object' && value !== null && 'title' in value) return value;
      issues.add('title', 'is required');
      return {};
    },
  });
  const counted = around<PerspectiveStorage>(perspectives, {
    listModels: (tables, query) => {
      calls.push(`list ${query.offset} ${query.limit}`);
      return perspectives.listModels(tables, query);
    },
    countModels: (tables, selection) => {
      calls.push('count');
      return perspectives.countModels(tables, selection);
    },
  });
  const log = new EventLog(storage, new MessageRegistry([]));
  live = new LiveModels(named, counted, () => {});
  const source = modelSource(named, log, counted, live);
  const modelAccess = new ModelAccess(named, access, control);
  lens = new PerspectiveLens<Order>({ named, models: () => source, access: modelAccess, control });
});
afterEach(() => live.stop());

async function store(key: string, body: string | null, scope: PerspectiveScope = { tenantId: 'acme' }): Promise<void> {
  const owner = owners.ofScope(scope);
  const title = body === null ? null : ((JSON.parse(body) as Partial<Order>).title ?? null);
  const id = owners.idOf(key, owner);
  const model = indexedModel(key, { id, owner, scope: { tenantId: owner }, body, indexed: { title } });
  await commitChanges(storage.perspectives, 'Orders', { to: 0, models: [model] });
}

const titled = (title: string): string => JSON.stringify({ title });
const asAnn = <T>(work: () => Promise<T>): Promise<T> => runAs(ann, work);

describe('a lens', () => {
  it('returns null for a model that does not exist or was deleted', async () => {
    await store('deleted', null);
    expect(await asAnn(() => lens.find('deleted'))).toBeNull();
    expect(await asAnn(() => lens.find('missing'))).toBeNull();
    expect(await asAnn(() => lens.list())).toEqual([]);
  });

  it('rejects a stored model that does not match its type', async () => {
    await store('k', '{}');
    const unreadable = { code: 'SVC_UNREADABLE_MODEL' };
    await expect(asAnn(() => lens.find('k'))).rejects.toMatchObject(unreadable);
    await expect(asAnn(() => lens.list())).rejects.toMatchObject(unreadable);
    expect(await asAnn(() => lens.count())).toBe(1);
  });

  it('leaves out models that were deleted while the list was read', async () => {
    const { perspectives } = storage;
    await store('a', titled('a'));
    await store('b', titled('b'));
    const [first, second] = await perspectives.listModels('Orders', {
      owner: null,
      principals: null,
      offset: 0,
      limit: 2,
    });
    perspectives.listModels = () => Promise.resolve([first!, { ...second!, body: null }]);
    expect(await asAnn(() => lens.page())).toEqual({ items: [{ title: 'a' }], next: null });
  });

  it('reads from the first model, and at most 1,000 of them', async () => {
    await asAnn(() => lens.list());
    await asAnn(() => lens.list({ offset: 7, limit: 1_000 }));
    await asAnn(() => lens.list({ offset: -7, limit: 1_001 }));
    await asAnn(() => lens.list({ limit: -1 }));
    // One more, which shows whether there is a next page.
    expect(calls).toEqual(['list 0 11', 'list 7 1001', 'list 0 1001', 'list 0 1']);
  });

  it('reads nothing for an owner whose models the caller may not see, but validates the query', async () => {
    const other = lens.of({ tenantId: 'other' });
    await store('k', titled('of other'), { tenantId: 'other' });
    expect(await asAnn(() => other.find('k'))).toBeNull();
    expect(await asAnn(() => other.page())).toEqual({ items: [], next: null });
    expect(await asAnn(() => other.count())).toBe(0);
    expect(calls).toEqual([]);
    await expect(asAnn(() => other.page({ after: 'x' }))).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
    await expect(asAnn(() => other.count({ where: { other: 1 } as object }))).rejects.toMatchObject({
      code: 'SVC_NOT_INDEXED',
    });
    expect(await runAsHost(() => other.find('k'))).toEqual({ title: 'of other' });
  });

  it('counts the models of a condition', async () => {
    for (const title of ['a', 'b', 'c']) await store(title, titled(title));
    await store('z', titled('z'), { tenantId: 'other' });
    expect(await asAnn(() => lens.count())).toBe(3);
    expect(await asAnn(() => lens.count({ where: { title: { gt: 'a' } } }))).toBe(2);
    expect(await runAsHost(() => lens.count({ where: { title: { gt: 'a' } } }))).toBe(3);
    expect(await runAsHost(() => lens.of({ tenantId: 'other' }).count())).toBe(1);
  });

  it('continues after the last model of a page, in the same order and with the same conditions', async () => {
    for (const title of ['a', 'b', 'c']) await store(title, titled(title));
    const query = { where: { title: { gte: 'b' } }, sort: '-title', limit: 1 } as const;
    const first = await asAnn(() => lens.page(query));
    expect(first.items).toEqual([{ title: 'c' }]);
    expect(await asAnn(() => lens.page({ ...query, after: first.next }))).toEqual({
      items: [{ title: 'b' }],
      next: null,
    });
    const ofOther = asAnn(() => lens.page({ ...query, where: {}, after: first.next }));
    await expect(ofOther).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
  });
});
