import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { originKey, wrap } from '../../messages/index.js';
import type { ModelIdentity, StoredEvent } from '../../storage/index.js';
import type { NamedPerspective, Perspective } from '../perspective.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { applyEvents, type AppliedEvents, type EventsToApply } from './apply-events.js';
import { beforeAllIds, HeldModel } from './held-model.js';
import { indexedValuesOf } from './indexed-values.js';
import { ModelRewind } from './rewind.js';

interface Trace {
  readonly notes: readonly (number | bigint)[];
}

interface Note {
  readonly note: number;
  readonly key?: string | null;
}

const streamOf = (number: number): Uuid => idOf(0xf0 + number);

/** Appends the number of each event to the model of its key; a model with a negative number cannot be written. */
const keyed: Perspective<Trace, Note> = {
  apply: (model, { note }) => {
    if (note === 99) throw new Error('cannot apply 99');
    return { notes: [...(model?.notes ?? []), note < 0 ? BigInt(note) : note] };
  },
  keyOf: ({ key = 'k' }) => key,
};
const ofStream: Perspective<Trace, Note> = { apply: keyed.apply };

const namedOf = (perspective: Perspective<Trace, Note>, fields?: Partial<NamedPerspective>): NamedPerspective =>
  namedPerspective({ perspective, ...fields });

interface EventFields {
  readonly id?: number;
  readonly stream?: number;
  readonly note?: number;
  readonly key?: string | null;
  /** Whether it comes from another database. */
  readonly isReceived?: boolean;
}

/** An event at a place in the log. */
function happened(sequence: number, fields: EventFields = {}): StoredEvent {
  const { id = sequence, stream = 0, note = sequence, key, isReceived = false } = fields;
  const envelope = wrap('t', { note, ...(key !== undefined && { key }) });
  const metadata = isReceived ? { [originKey]: null } : {};
  return {
    streamId: streamOf(stream),
    position: sequence,
    sequence,
    envelope: { ...envelope, id: idOf(id), scope: null, metadata },
  };
}

function applied(named: NamedPerspective, events: StoredEvent[], fields: Partial<EventsToApply> = {}): AppliedEvents {
  return applyEvents({ named, events, stored: new Map(), rewinds: [], ...fields });
}

function notesOf({ changes }: AppliedEvents): Record<string, readonly unknown[]> {
  return Object.fromEntries([...changes.models].map(([id, { model }]) => [id, (model as Trace).notes]));
}

const identity = (id: string): ModelIdentity => ({ id, key: id, owner: '', scope: null });

describe('the order of events among several models', () => {
  it('is that of each model alone once an event of another database is among them', () => {
    const events = [
      happened(1, { id: 30, key: 'b' }),
      happened(2, { id: 5, key: 'a' }),
      happened(3, { id: 20, key: 'b', isReceived: true }),
    ];
    // In the order of all models, the received event would stay last, because the event of `a` before it has a lower id.
    expect(notesOf(applied(namedOf(keyed), events))).toEqual({ a: [2], b: [3, 1] });
  });
});

describe('a model that cannot be written', () => {
  it('stops the stream of its own last event, not that of the last event of all', () => {
    const events = [
      happened(1, { stream: 1 }),
      happened(2, { stream: 2, note: -2 }),
      happened(3, { stream: 3 }),
      happened(4, { stream: 1 }),
    ];
    const result = applied(namedOf(ofStream), events);
    expect(result.failures.map(({ event }) => event.sequence)).toEqual([2]);
    expect(notesOf(result)).toEqual({ [streamOf(1)]: [1, 4], [streamOf(3)]: [3] });
  });

  it('stops the stream of its own last event if its events are of several streams', () => {
    const events = [
      happened(1, { stream: 1, key: 'a' }),
      happened(2, { stream: 2, key: 'a', note: -2 }),
      happened(3, { stream: 3, key: 'b' }),
    ];
    const result = applied(namedOf(keyed), events);
    expect(result.failures.map(({ event }) => event.streamId)).toEqual([streamOf(2)]);
    expect(notesOf(result)).toEqual({ a: [1], b: [3] });
  });

  it('throws if it has no event that could stop its stream', () => {
    const named = namedOf(ofStream, { columns: [{ name: 'notes', type: 'text' }] });
    const snapshot = { id: 'm', eventId: idOf(1), body: '{"notes":[1]}', version: 1 };
    const rewinds = [new ModelRewind(identity('m'), [], snapshot, [])];
    expect(() => applied(named, [], { rewinds })).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  });
});

describe('a model that is replayed', () => {
  it('replaces only its own events of the batch, also if its key is empty', () => {
    const late = happened(5, { id: 2, key: '', isReceived: true });
    const replayed = [happened(1, { key: '' }), late];
    const rewind = new ModelRewind(identity(''), [late], null, replayed);
    const invalid = happened(6, { stream: 1, key: '\0' });
    const result = applied(namedOf(keyed), [late, invalid, happened(7, { stream: 2, key: null })], {
      rewinds: [rewind],
    });
    expect(notesOf(result)).toEqual({ '': [1, 5] });
    // An event whose model cannot be determined is not one of the model with the empty key.
    expect(result.failures.map(({ event }) => event)).toEqual([invalid]);
  });

  it('starts again at its snapshot after a failure of another stream', () => {
    const late = happened(5, { id: 3, key: 'a', isReceived: true });
    const snapshot = { id: 'a', eventId: idOf(2), body: '{"notes":[1,2]}', version: 2 };
    const failing = happened(6, { stream: 1, key: 'a', note: 99 });
    const rewind = new ModelRewind(identity('a'), [late], snapshot, [late, failing]);
    const result = applied(namedOf(keyed), [late, failing], { rewinds: [rewind] });
    expect(notesOf(result)).toEqual({ a: [1, 2, 5] });
    expect(result.failures.map(({ event }) => event)).toEqual([failing]);
    expect(result.models.get('a')!.version).toBe(3);
  });

  it('without any event is stored empty, with an id below all others that every database accepts', () => {
    const model = new ModelRewind(identity('m'), [], null, []).start(namedOf(ofStream));
    expect(model.written()).toMatchObject({ body: null, version: 0, lastEventId: beforeAllIds });
    expect(beforeAllIds).toMatch(/^0{8}-0{4}-0{4}-0{4}-0{12}$/);
    const begun = HeldModel.begun(namedOf(ofStream), 'm', happened(1));
    expect([begun.lastEventId, begun.version, begun.model]).toEqual([beforeAllIds, 0, null]);
  });
});

describe('a model that was deleted', () => {
  const columns = [{ name: 'count', type: 'integer' }] as const;

  it('has no indexed values, and is not read for them', () => {
    const named = namedOf(ofStream, {
      columns,
      readModel: (value) => {
        if (value === null) throw new Error('A model is an object.');
        return value as object;
      },
    });
    expect(indexedValuesOf(named, null)).toEqual({ count: null });
    expect(indexedValuesOf(named, '{"count":2}')).toEqual({ count: 2 });
    const state = { ...identity('m'), version: 3, lastEventId: idOf(3), body: null };
    expect(HeldModel.of(named, state)).toMatchObject({ model: null, version: 3, characters: 0 });
  });

  it('can be created again by a later event', () => {
    const deleting: Perspective<Trace, Note> = {
      apply: (model, { note }) => (note === 2 ? null : { notes: [...(model?.notes ?? []), note] }),
    };
    const result = applied(namedOf(deleting), [happened(1), happened(2), happened(3)]);
    expect(notesOf(result)).toEqual({ [streamOf(0)]: [3] });
    expect(result.models.get(streamOf(0))!.version).toBe(3);
  });
});
