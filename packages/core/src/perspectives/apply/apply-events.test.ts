import { describe, expect, it } from 'vitest';
import { originKey, streamTenantKey, wrap, type EnvelopeScope } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import type { ModelIdentity, PerspectiveColumn, StoredEvent } from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective, Perspective } from '../perspective.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { applyEvents, type AppliedEvents, type EventsToApply } from './apply-events.js';
import { inFoldOrder, isBeforeStop, isLate } from './fold-order.js';
import { beforeAllIds, HeldModel, type ModelState } from './held-model.js';
import { indexedValuesOf } from './indexed-values.js';
import { contextOf, identityOf, modelIdOf, modelIdOrNull, modelIdsOf } from './model-identity.js';
import { ModelRewind } from './rewind.js';
import { UnreadableEvent } from './unreadable-event.js';

interface Trace {
  readonly notes: readonly number[];
}

interface Note {
  readonly note: number;
  readonly key?: string | null;
}

/** Appends the number of each event to its model, and fails at some of them. */
class Notes implements Perspective<Trace, Note> {
  readonly failing = new Set<number>();
  /** Called with each event. */
  readonly applied: number[] = [];

  apply(model: Trace | null, { note }: Note): Trace | null {
    this.applied.push(note);
    const notes = (model?.notes ?? []) as number[];
    notes.push(note);
    if (this.failing.has(note)) throw new Error(`cannot apply ${note}`);
    return { notes };
  }
}

class KeyedNotes extends Notes {
  keyOf({ key = 'k' }: Note): string | null {
    return key;
  }
}

const namedOf = (perspective: Perspective<Trace, Note>, fields?: Partial<NamedPerspective>): NamedPerspective =>
  namedPerspective({ perspective, ...fields });

interface EventFields {
  readonly id?: number;
  readonly stream?: number;
  readonly position?: number;
  readonly key?: string | null;
  /** Whether it comes from another database. */
  readonly isReceived?: boolean;
  readonly scope?: EnvelopeScope;
  readonly metadata?: object;
}

/** An event whose place in the log is its number. */
function happened(note: number, fields: EventFields = {}): StoredEvent {
  const { id = note, stream = 0, position = note, key, isReceived = false, scope = null, metadata = {} } = fields;
  const envelope = wrap('t', { note, ...(key !== undefined && { key }) });
  return {
    streamId: idOf(0xf0 + stream),
    position,
    sequence: note,
    envelope: { ...envelope, id: idOf(id), scope, metadata: { ...(isReceived && { [originKey]: null }), ...metadata } },
  };
}

function applied(named: NamedPerspective, events: StoredEvent[], fields: Partial<EventsToApply> = {}): AppliedEvents {
  return applyEvents({ named, events, stored: new Map(), rewinds: [], ...fields });
}

/** The notes of each model that changes. */
function notesOf({ changes }: AppliedEvents): Record<string, readonly number[]> {
  return Object.fromEntries([...changes.models].map(([id, { model }]) => [id, (model as Trace).notes]));
}

const identity = (id: string): ModelIdentity => ({ id, key: id, owner: '', scope: null });
const [streamA, streamB] = [idOf(0xf0), idOf(0xf1)];

describe('events applied to stored models', () => {
  it('change one model for each stream, in the order of the log', () => {
    const events = [happened(3), happened(1), happened(2, { stream: 1 })];
    const result = applied(namedOf(new Notes()), events);
    expect(notesOf(result)).toEqual({ [streamA]: [1, 3], [streamB]: [2] });
    expect(result).toMatchObject({ failures: [], applied: 3 });
    expect([...result.models.keys()].toSorted()).toEqual([streamA, streamB]);
  });

  it('continue the models that are stored', () => {
    const state: ModelState = { ...identity(streamA), body: '{"notes":[7]}', version: 4, lastEventId: idOf(1) };
    const result = applied(namedOf(new Notes()), [happened(2)], { stored: new Map([[streamA, state]]) });
    expect(notesOf(result)).toEqual({ [streamA]: [7, 2] });
    expect(result.models.get(streamA)).toMatchObject({ version: 5, lastEventId: idOf(2) });
  });

  it('belong to no model if the key is null', () => {
    const events = [happened(1, { key: null }), happened(2, { key: 'k' })];
    const result = applied(namedOf(new KeyedNotes()), events);
    expect(notesOf(result)).toEqual({ k: [2] });
    expect(result.applied).toBe(2);
  });

  it('stop their stream at a failure, and leave no trace of it in a model', () => {
    const notes = new KeyedNotes();
    notes.failing.add(2);
    const events = [
      happened(1),
      happened(2),
      happened(3),
      happened(4, { stream: 1 }),
      happened(5, { id: 1, isReceived: true, position: 9 }),
    ];
    const result = applied(namedOf(notes), events);
    // The event of another database belongs before the failure, although it is stored after it.
    expect(notesOf(result)).toEqual({ k: [1, 5, 4] });
    expect(result.failures).toEqual([{ event: events[1], error: new Error('cannot apply 2') }]);
    expect(result.applied).toBe(5);
  });

  it('stop each stream that fails, at its first failure', () => {
    const notes = new Notes();
    for (const note of [1, 4, 5]) notes.failing.add(note);
    const events = [happened(1), happened(2), happened(3, { stream: 1 }), happened(4, { stream: 1 }), happened(5)];
    const result = applied(namedOf(notes), events);
    expect(notesOf(result)).toEqual({ [streamB]: [3] });
    expect(result.failures.map(({ event }) => event)).toEqual([events[0], events[3]]);
  });

  it('stop a stream whose model cannot be written at the last event of that model', () => {
    const big: Perspective<Trace, Note> = { apply: (_, { note }) => ({ notes: [note === 2 ? 1n : 1] }) as Trace };
    const result = applied(namedOf(big), [happened(1, { stream: 1 }), happened(1), happened(2)]);
    expect(result.failures.map(({ event }) => event.sequence)).toEqual([2]);
    expect(notesOf(result)).toEqual({ [streamA]: [1], [streamB]: [1] });
  });

  it('stop a stream at an event that cannot be read, or whose key cannot be determined', () => {
    const unreadable = new Error('not JSON');
    const first = happened(1);
    const event = { ...first, envelope: { ...first.envelope, payload: new UnreadableEvent(unreadable) } };
    const result = applied(namedOf(new KeyedNotes()), [event, happened(2, { stream: 1 }), happened(3)]);
    expect(result.failures).toEqual([{ event, error: unreadable }]);
    expect(notesOf(result)).toEqual({ k: [2] });
    const long = happened(1, { key: 'x'.repeat(401) });
    const [failure] = applied(namedOf(new KeyedNotes()), [long]).failures;
    expect(failure!.error).toMatchObject({ code: 'SVC_INVALID_VALUE' });
  });

  it('throw an error that belongs to no event', () => {
    const snapshot = { id: 'm', eventId: idOf(1), body: 'no JSON', version: 1 };
    const rewinds = [new ModelRewind(identity('m'), [], snapshot, [])];
    expect(() => applied(namedOf(new Notes()), [], { rewinds })).toThrow('does not match its type');
  });

  it('of a new model decide its owner by the one that is first in the log, not by a late one', () => {
    const owners = new ModelOwners(ScopeFilters.Organization);
    const late = happened(5, { id: 1, isReceived: true, scope: { organizationId: 'late' } });
    const first = happened(3, { scope: { organizationId: 'first' } });
    const second = happened(4, { scope: { organizationId: 'second' } });
    const result = applied(namedOf(new Notes(), { owners }), [late, second, first]);
    expect(notesOf(result)).toEqual({ [streamA]: [5, 3, 4] });
    expect(result.models.get(streamA)).toMatchObject({ owner: 'first', scope: { organizationId: 'first' } });
  });

  it('are in the order of each model, also if an event of another database is among them', () => {
    const events = [
      happened(1, { id: 10, key: 'a' }),
      happened(2, { id: 20, key: 'b' }),
      happened(3, { id: 15, key: 'b', isReceived: true }),
      happened(4, { id: 15, key: 'a', isReceived: true }),
      happened(5, { id: 40, key: null }),
      happened(6, { id: 30, key: 'a' }),
    ];
    const result = applied(namedOf(new KeyedNotes()), events);
    expect(notesOf(result)).toEqual({ a: [1, 4, 6], b: [3, 2] });
    expect(result.applied).toBe(6);
  });

  it('replay a model from its snapshot, with the events of the rewind instead of those of the batch', () => {
    const notes = new KeyedNotes();
    const snapshot = { id: 'a', eventId: idOf(2), body: '{"notes":[1,2]}', version: 2 };
    const late = happened(6, { id: 3, key: 'a', isReceived: true });
    const others = [happened(5, { key: 'b' }), happened(7, { key: null })];
    const replayed = [late, happened(4, { key: 'a' })];
    const rewind = new ModelRewind(identity('a'), [late], snapshot, replayed);
    const result = applied(namedOf(notes), [late, ...others], { rewinds: [rewind] });
    expect(notesOf(result)).toEqual({ a: [1, 2, 6, 4], b: [5] });
    expect(notes.applied.toSorted((a, b) => a - b)).toEqual([4, 5, 6]);
    expect(result.models.get('a')).toMatchObject({ version: 4, lastEventId: idOf(4) });
    expect(result.changes.commit().rewound).toEqual([{ id: 'a', afterEventId: idOf(2) }]);
    const empty = new ModelRewind(identity('a'), [], null, replayed).start(namedOf(notes));
    expect(empty).toMatchObject({ model: null, version: 0, lastEventId: beforeAllIds });
  });
});

describe('the order of a model', () => {
  it('is that of the log, with an event of another database after the last one with a smaller id', () => {
    const events = [
      happened(3, { id: 30 }),
      happened(1, { id: 10 }),
      happened(2, { id: 5 }),
      happened(4, { id: 20, isReceived: true }),
      happened(5, { id: 30, isReceived: true }),
      happened(6, { id: 1, isReceived: true }),
    ];
    expect(inFoldOrder(events).map(({ sequence }) => sequence)).toEqual([6, 1, 2, 4, 3, 5]);
    expect(events.map(({ sequence }) => sequence)).toEqual([3, 1, 2, 4, 5, 6]);
  });

  it('makes only events of another database late, with an id below the greatest one', () => {
    const received = happened(5, { isReceived: true });
    expect([4, 5, 6].map((latest) => isLate(received, idOf(latest)))).toEqual([false, false, true]);
    expect(isLate(happened(5), idOf(6))).toBe(false);
  });

  it('decides which events a stopped stream still processes', () => {
    const stop = { eventId: idOf(5), position: 5 };
    const isBefore = (id: number, position: number, metadata = {}): boolean =>
      isBeforeStop({ id: idOf(id), position, metadata }, stop);
    expect([isBefore(4, 4), isBefore(5, 4), isBefore(4, 5), isBefore(4, 6)]).toEqual([true, false, false, false]);
    expect([isBefore(4, 6, { [originKey]: 'other' }), isBefore(6, 6, { [originKey]: 'other' })]).toEqual([true, false]);
  });
});

describe('the model of an event', () => {
  const named = namedOf(new KeyedNotes());

  it('is that of its stream, or that of its key and owner', () => {
    expect(modelIdOf(namedOf(new Notes()), happened(1))).toBe(streamA);
    expect(modelIdOf(named, happened(1, { key: 'x' }))).toBe('x');
    expect(modelIdOf(named, happened(1, { key: null }))).toBeNull();
    const owned = namedOf(new KeyedNotes(), { owners: new ModelOwners(ScopeFilters.User) });
    const [one, two] = ['a', 'b'].map((userId) => modelIdOf(owned, happened(1, { key: 'x', scope: { userId } })));
    expect(one).not.toBe(two);
  });

  it('cannot be determined from a key that a database cannot store', () => {
    for (const key of ['\0', '\ud800', 'x'.repeat(401), 7 as unknown as string]) {
      const event = happened(1, { key });
      expect(() => modelIdOf(named, event)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
      expect(modelIdOrNull(named, event)).toBeNull();
      expect(modelIdsOf(named, [happened(2), event])).toBeNull();
    }
    expect(modelIdOf(named, happened(1, { key: 'x'.repeat(400) }))).toHaveLength(400);
    expect(modelIdsOf(named, [happened(2), happened(1, { key: null })])).toEqual(['k', null]);
  });

  it('has the scope of its first event without permissions, and the tenant of the stream', () => {
    const scopeOf = (scope: EnvelopeScope, metadata = {}) =>
      identityOf(named, 'k', happened(1, { scope, metadata })).scope;
    const acting = { tenantId: 'platform', userId: 'u' };
    expect(scopeOf(acting)).toEqual(acting);
    expect(scopeOf(acting, { [streamTenantKey]: 'acme' })).toEqual({ userId: 'u', tenantId: 'acme' });
    expect(scopeOf(acting, { [streamTenantKey]: '' })).toEqual({ userId: 'u' });
    expect(identityOf(named, 'k', happened(1, { metadata: { [streamTenantKey]: 'acme' } })).scope).toEqual({
      tenantId: 'acme',
    });
    expect(identityOf(named, 'k', happened(1))).toEqual(identity('k'));
    expect(identityOf(namedOf(new Notes()), 's', happened(1)).key).toBe('s');
  });

  it('cannot start with a scope that a database cannot store', () => {
    for (const scope of [{ userId: '\0' }, { '\0': 'x' }]) {
      expect(() => identityOf(named, 'k', happened(1, { scope }))).toThrow(
        expect.objectContaining({ code: 'SVC_INVALID_VALUE' }),
      );
    }
    expect(identityOf(named, 'k', happened(1, { scope: { userId: null } })).scope).toEqual({ userId: null });
  });

  it('receives the metadata of the event', () => {
    const event = happened(4, { scope: { userId: 'u' } });
    const { timestamp, correlationId } = event.envelope;
    expect(contextOf(event)).toEqual({
      id: idOf(4),
      streamId: streamA,
      position: 4,
      timestamp,
      correlationId,
      scope: { userId: 'u' },
    });
  });
});

describe('a model in memory', () => {
  const columns: PerspectiveColumn[] = [{ name: 'count', type: 'integer' }];
  const counting: Perspective<{ count: number | null }, Note> = {
    apply: (_, { note }) => (note === 0 ? null : { count: note }),
  };
  const named = namedOf(counting as unknown as Perspective<Trace, Note>, { columns });

  it('is written with its identity, its version, its greatest event id and its indexed values', () => {
    const model = HeldModel.begun(named, 'm', happened(5, { scope: { userId: 'u' } }));
    expect(model.characters).toBeNull();
    model.apply(happened(5));
    model.apply(happened(3, { isReceived: true }));
    expect(model.written()).toEqual({
      id: 'm',
      key: 'm',
      owner: '',
      scope: { userId: 'u' },
      body: '{"count":3}',
      version: 2,
      lastEventId: idOf(5),
      indexed: { count: 3 },
    });
    expect(model.characters).toBe('{"count":3}'.length);
    expect(model.snapshot()).toEqual({ id: 'm', eventId: idOf(5), body: '{"count":3}', version: 2 });
  });

  it('that apply has deleted has no body and no indexed values', () => {
    const model = HeldModel.begun(named, 'm', happened(1));
    model.apply(happened(0));
    expect(model.written()).toMatchObject({ body: null, version: 1, indexed: { count: null } });
    expect(model.snapshot().body).toBeNull();
    expect(model.characters).toBe(0);
  });

  it('that was read knows its size', () => {
    const state = { ...identity('m'), version: 1, lastEventId: idOf(1) };
    expect(HeldModel.of(named, { ...state, body: '{"count":1}' })).toMatchObject({
      characters: 11,
      model: { count: 1 },
      isChanged: false,
    });
    expect(HeldModel.of(named, { ...state, body: null })).toMatchObject({ characters: 0, model: null });
    expect(HeldModel.of(named, { ...state, body: null, version: 0 }).characters).toBeNull();
  });

  it('cannot be written with a value that cannot be indexed', () => {
    const model = HeldModel.begun(named, 'm', happened(1));
    model.apply(happened(1.5));
    expect(() => model.written()).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  });

  it('has the same indexed values in its stored form', () => {
    expect(indexedValuesOf(named, '{"count":3}')).toEqual({ count: 3 });
    expect(indexedValuesOf(named, '{}')).toEqual({ count: null });
    expect(indexedValuesOf(named, null)).toEqual({ count: null });
    expect(indexedValuesOf(namedOf(new Notes()), 'not JSON')).toEqual({});
  });
});
