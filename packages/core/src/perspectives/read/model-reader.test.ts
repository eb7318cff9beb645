import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { firstIdOf, newId } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import { InMemoryPerspectives, longestIndexedText, sortedByKey, type PerspectiveColumn } from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { Perspective } from '../perspective.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import type { AskedModels } from './asked-models.js';
import type { VisibleModels } from './model-access.js';
import { ModelReader } from './model-reader.js';

const columns: PerspectiveColumn[] = [{ name: 'rank', type: 'integer' }];
const owners = new ModelOwners(ScopeFilters.Tenant | ScopeFilters.User);
const ofStream: Perspective<object> = { apply: (model) => model };
const ofKey: Perspective<object> = { ...ofStream, keyOf: () => 'k' };
const everything: VisibleModels = { owner: null, principals: null };
const page: AskedModels = { offset: 0, limit: 2, where: [], sort: sortedByKey, after: null };

let storage: InMemoryPerspectives;

beforeEach(() => {
  storage = new InMemoryPerspectives();
  storage.define([{ perspective: 'Orders', columns }]);
});

const readerOf = (perspective = ofKey): ModelReader =>
  new ModelReader({ name: 'Orders', columns, owners, perspective }, storage);

/** What a user of a tenant may see. */
const visibleTo = (
  tenantId: string,
  userId = 'ann',
  principals: VisibleModels['principals'] = null,
): VisibleModels => ({
  owner: owners.condition({ tenantId, userId }),
  principals,
});

interface Stored {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly body?: string | null;
  readonly rank?: number;
  readonly lastEventId?: Uuid;
  readonly allowedPrincipals?: string;
  /** The id of a model of a stream. */
  readonly id?: string;
}

async function store(key: string, stored: Stored = {}): Promise<void> {
  const { tenantId = 'acme', userId = 'ann', rank = 0, lastEventId = newId(), allowedPrincipals } = stored;
  const { body = JSON.stringify({ of: tenantId, rank }) } = stored;
  const scope = { tenantId, userId, ...(allowedPrincipals !== undefined && { allowedPrincipals }) };
  const owner = owners.ofEvent({ scope, metadata: {} });
  const { id = owners.idOf(key, owner) } = stored;
  const model = indexedModel(key, { id, owner, scope, body, lastEventId, indexed: { rank } });
  await commitChanges(storage, 'Orders', { to: 0, models: [model] });
}

const started = Date.now();
const future = (hours: number): Uuid => firstIdOf(started + hours * 3_600_000);

describe('the model with a key', () => {
  it('is that of the owner', async () => {
    await store('k', { tenantId: 'acme' });
    await store('k', { tenantId: 'other' });
    const reader = readerOf();
    expect(await reader.find('k', visibleTo('acme'))).toBe('{"of":"acme","rank":0}');
    expect(await reader.find('k', visibleTo('other'))).toBe('{"of":"other","rank":0}');
    expect(await reader.find('k', visibleTo('acme', 'bob'))).toBeNull();
    expect(await reader.find('l', visibleTo('acme'))).toBeNull();
  });

  it('of a stream is found only by its owner', async () => {
    await store('s', { id: 's' });
    const reader = readerOf(ofStream);
    expect(await reader.find('s', visibleTo('acme'))).toBe('{"of":"acme","rank":0}');
    expect(await reader.find('s', visibleTo('acme', 'bob'))).toBeNull();
    expect(await reader.find('s', everything)).toBe('{"of":"acme","rank":0}');
  });

  it('is found only by the principals that it allows', async () => {
    await store('k', { allowedPrincipals: 'clerks' });
    const find = (...principals: string[]) => readerOf().find('k', visibleTo('acme', 'ann', { principals }));
    expect(await find('clerks')).not.toBeNull();
    expect(await find('guests')).toBeNull();
  });

  it('of any owner is found if there is only one', async () => {
    await store('k', { tenantId: 'acme' });
    const reader = readerOf();
    expect(await reader.find('k', everything)).toBe('{"of":"acme","rank":0}');
    expect(await reader.find('l', everything)).toBeNull();
    await store('k', { tenantId: 'other' });
    await expect(reader.find('k', everything)).rejects.toMatchObject({ code: 'SVC_AMBIGUOUS_KEY' });
  });

  it('does not exist after apply has deleted it', async () => {
    await store('k', { body: null });
    expect(await readerOf().find('k', visibleTo('acme'))).toBeNull();
    expect(await readerOf().find('k', everything)).toBeNull();
  });

  it('cannot have a key that databases cannot store', async () => {
    const [longest, tooLong] = [longestIndexedText, longestIndexedText + 1].map((length) => 'k'.repeat(length)) as [
      string,
      string,
    ];
    for (const key of ['\0', longest, tooLong]) await store(key, { id: key });
    const reader = readerOf(ofStream);
    expect(await reader.find(longest, everything)).not.toBeNull();
    expect([await reader.find('\0', everything), await reader.find(tooLong, everything)]).toEqual([null, null]);
  });

  it('has an older last event than ids that are created after it was read', async () => {
    const reader = readerOf();
    await store('k', { lastEventId: future(1) });
    await store('l', { lastEventId: future(2), tenantId: 'other' });
    expect(newId() < future(1)).toBe(true);
    await reader.find('k', visibleTo('acme'));
    expect([newId() > future(1), newId() < future(2)]).toEqual([true, true]);
    await reader.find('l', everything);
    expect(newId() > future(2)).toBe(true);
  });
});

describe('a list of models', () => {
  beforeEach(async () => {
    for (const [i, key] of ['a', 'b', 'c'].entries()) await store(key, { rank: 3 - i });
    await store('d', { tenantId: 'other' });
  });

  const keysIn = async (asked: Partial<AskedModels>, visible = visibleTo('acme')): Promise<unknown> => {
    const { records, next } = await readerOf().list({ ...page, ...asked }, visible);
    return { keys: records.map(({ key }) => key), hasNext: next !== null };
  };

  it('has as many models as requested, and a token of the next page if there are more', async () => {
    expect(await keysIn({ limit: 2 })).toEqual({ keys: ['a', 'b'], hasNext: true });
    expect(await keysIn({ limit: 3 })).toEqual({ keys: ['a', 'b', 'c'], hasNext: false });
    expect(await keysIn({ limit: 4 })).toEqual({ keys: ['a', 'b', 'c'], hasNext: false });
    expect(await keysIn({ limit: 0 })).toEqual({ keys: [], hasNext: false });
    expect(await keysIn({ limit: 3 }, everything)).toEqual({ keys: ['a', 'b', 'c'], hasNext: true });
    expect(await keysIn({ sort: { column: 'rank', descending: false } })).toEqual({ keys: ['c', 'b'], hasNext: true });
  });

  it('observes the events of the models of the page only', async () => {
    await store('b', { lastEventId: future(3) });
    await store('c', { lastEventId: future(4) });
    await readerOf().list(page, visibleTo('acme'));
    expect([newId() > future(3), newId() < future(4)]).toEqual([true, true]);
  });

  it('is counted', async () => {
    const reader = readerOf();
    expect(await reader.count([], visibleTo('acme'))).toBe(3);
    expect(await reader.count([], everything)).toBe(4);
    expect(await reader.count([{ column: 'rank', operator: 'gte', value: 2 }], visibleTo('acme'))).toBe(2);
  });
});
