/** The small parts of the in-memory storage: seals, snapshots of deciders, keys of subjects, the backlog, copies of records. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { LateRecord } from '../database/late-record.js';
import { DeadLetterCause, type DeadLetterRecord } from '../dead-letter-record.js';
import type { PendingRecord } from '../event-record.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import type { SealRecord } from '../capabilities/seals.js';
import type { SnapshotRecord } from '../capabilities/snapshots.js';
import { InMemoryBacklog } from './in-memory-backlog.js';
import { InMemorySeals } from './in-memory-seals.js';
import { InMemorySnapshots } from './in-memory-snapshots.js';
import { InMemorySubjectKeys } from './in-memory-subject-keys.js';
import { copiedEvent, copiedMessage, recordOf } from './log-entry.js';

const message = (): OutgoingRecord => {
  return { id: newId(), lane: 'transport', destination: 'topic', message: null, note: null, eventId: newId() };
};

describe('the seals', () => {
  const seal = (number: number): SealRecord => {
    const bytes = new Uint8Array();
    return { number, size: number, lastSequence: number, checkpoint: '', frontier: bytes, entries: bytes };
  };

  it('are appended in the order of their numbers, with their messages', async () => {
    const queued: OutgoingRecord[] = [];
    const seals = new InMemorySeals((outgoing) => queued.push(...outgoing));
    expect(await seals.readLast()).toBeNull();
    const [first, second] = [message(), message()];
    expect(await seals.append(seal(1), [first])).toBe(true);
    expect(await seals.append(seal(1), [second])).toBe(false);
    expect(await seals.append(seal(3), [second])).toBe(false);
    expect(queued).toEqual([first]);
    expect(await seals.append(seal(2), [second])).toBe(true);
    expect(queued).toEqual([first, second]);
    expect(await seals.readLast()).toEqual(seal(2));
  });

  it('are read after a number, up to a limit', async () => {
    const seals = new InMemorySeals(() => {});
    for (const number of [1, 2, 3, 4]) await seals.append(seal(number), []);
    const numbers = async (after: number, limit: number) =>
      (await seals.read(after, limit)).map(({ number }) => number);
    expect(await numbers(0, 10)).toEqual([1, 2, 3, 4]);
    expect(await numbers(1, 2)).toEqual([2, 3]);
    expect(await numbers(4, 2)).toEqual([]);
  });

  it('that anchors have received never go back', async () => {
    const seals = new InMemorySeals(() => {});
    const before = await seals.readAnchored();
    await seals.recordAnchored('a', 3);
    await seals.recordAnchored('a', 2);
    await seals.recordAnchored('b', 1);
    expect(Object.fromEntries(await seals.readAnchored())).toEqual({ a: 3, b: 1 });
    await seals.recordAnchored('a', 4);
    expect((await seals.readAnchored()).get('a')).toBe(4);
    expect(before.size).toBe(0);
  });
});

describe('the snapshots of deciders', () => {
  const streamId = newId();
  const snapshot = (position: number, fields: Partial<SnapshotRecord> = {}): SnapshotRecord => {
    const own = { decider: 'Order', streamId, version: 'v1', position, eventId: newId() };
    return { ...own, state: `{"at":${position}}`, checksum: '', ...fields };
  };
  const positionOf = async (snapshots: InMemorySnapshots, version = 'v1', decider = 'Order', stream = streamId) =>
    (await snapshots.read(decider, stream, version))?.position;

  it('are found by decider, stream and version', async () => {
    const snapshots = new InMemorySnapshots();
    const one = snapshot(5);
    await snapshots.write(one, 0);
    expect(await snapshots.read('Order', streamId, 'v1')).toEqual(one);
    expect(await snapshots.read('Order', streamId, 'v2')).toBeNull();
    expect(await snapshots.read('Invoice', streamId, 'v1')).toBeNull();
    expect(await snapshots.read('Order', newId(), 'v1')).toBeNull();
  });

  it('of the same version are replaced by later ones only', async () => {
    const snapshots = new InMemorySnapshots();
    await snapshots.write(snapshot(5), 0);
    await snapshots.write(snapshot(4), 0);
    expect(await positionOf(snapshots)).toBe(5);
    await snapshots.write(snapshot(5, { state: 'again' }), 0);
    expect(await snapshots.read('Order', streamId, 'v1')).toMatchObject({ state: 'again' });
    await snapshots.write(snapshot(6), 0);
    expect(await positionOf(snapshots)).toBe(6);
    expect(snapshots.remove(() => true)).toBe(1);
  });

  it('of other versions are deleted before a position', async () => {
    const snapshots = new InMemorySnapshots();
    await snapshots.write(snapshot(5, { version: 'v0' }), 0);
    await snapshots.write(snapshot(9), 5);
    expect([await positionOf(snapshots, 'v0'), await positionOf(snapshots)]).toEqual([5, 9]);
    await snapshots.write(snapshot(10), 6);
    expect([await positionOf(snapshots, 'v0'), await positionOf(snapshots)]).toEqual([undefined, 10]);
  });

  it('of other streams and deciders stay', async () => {
    const snapshots = new InMemorySnapshots();
    const other = newId();
    await snapshots.write(snapshot(9, { streamId: other }), 0);
    await snapshots.write(snapshot(9, { decider: 'Invoice' }), 0);
    await snapshots.write(snapshot(1), 100);
    expect(await positionOf(snapshots)).toBe(1);
    expect(await positionOf(snapshots, 'v1', 'Order', other)).toBe(9);
    expect(await positionOf(snapshots, 'v1', 'Invoice')).toBe(9);
  });

  it('are removed if their state satisfies a condition', async () => {
    const snapshots = new InMemorySnapshots();
    await snapshots.write(snapshot(1, { state: 'secret' }), 0);
    await snapshots.write(snapshot(1, { state: 'public', version: 'v2' }), 0);
    expect(snapshots.remove((state) => state === 'secret')).toBe(1);
    expect([await positionOf(snapshots), await positionOf(snapshots, 'v2')]).toEqual([undefined, 1]);
    expect(snapshots.remove((state) => state === 'secret')).toBe(0);
  });
});

describe('the keys of subjects', () => {
  const nothing = { snapshots: 0, results: 0, deadLetters: 0 };
  const key = (subject: string, wrapped = 'wrapped') => ({ id: newId(), subject, wrapped });

  it('are found by subject and by id; a subject retains its first one', async () => {
    const keys = new InMemorySubjectKeys(() => nothing);
    const [ann, bob, again] = [key('ann'), key('bob'), key('ann')];
    await keys.add([ann, bob, again]);
    expect(await keys.ofSubjects(['ann', 'bob', 'eve'])).toEqual([ann, bob]);
    expect(await keys.ofSubjects(['bob'])).toEqual([bob]);
    expect(await keys.byIds([again.id, bob.id, ann.id])).toEqual([bob, ann]);
  });

  it('are destroyed, but their ids stay known, and the subject can have a new one', async () => {
    const keys = new InMemorySubjectKeys(() => nothing);
    const [ann, bob, again] = [key('ann'), key('bob'), key('ann')];
    await keys.add([ann, bob]);
    expect(await keys.destroy('ann')).toEqual([ann.id]);
    expect(await keys.ofSubjects(['ann', 'bob'])).toEqual([bob]);
    expect(await keys.byIds([ann.id])).toEqual([{ ...ann, wrapped: null }]);
    await keys.add([again]);
    expect(await keys.ofSubjects(['ann'])).toEqual([again]);
    expect(await keys.destroy('ann')).toEqual([ann.id, again.id]);
    expect(await keys.destroy('eve')).toEqual([]);
  });

  it('select the records that contain a value encrypted with one of them', async () => {
    const [first, second] = [newId(), newId()];
    const texts = [`"svc-personal:1:${first}:x"`, `svc-personal:1:${second}:`, `svc-personal:2:${first}:`, first];
    const removed: string[] = [];
    const keys = new InMemorySubjectKeys((isEncrypted) => {
      removed.push(...texts.filter(isEncrypted));
      return { ...nothing, results: removed.length };
    });
    expect(await keys.removeSealed([newId(), first])).toEqual({ ...nothing, results: 1 });
    expect(removed).toEqual([texts[0]]);
    await keys.removeSealed([first, second]);
    expect(removed.slice(1)).toEqual([texts[0], texts[1]]);
    await keys.removeSealed([]);
    expect(removed).toHaveLength(3);
  });
});

describe('the backlog', () => {
  it('counts the messages of a lane up to a limit, and names the first', async () => {
    const [first, second] = [message(), message()];
    const outbox = { system: new Map(), transport: new Map([first, second].map((one) => [one.id, one])) };
    const backlog = new InMemoryBacklog(outbox, new Map());
    expect(await backlog.readOutbox('transport', 10)).toEqual({ waiting: 2, first: first.id });
    expect(await backlog.readOutbox('transport', 1)).toEqual({ waiting: 1, first: first.id });
    expect(await backlog.readOutbox('system', 10)).toEqual({ waiting: 0, first: null });
  });

  it('counts dead letters by cause, up to a limit', async () => {
    const { TooLarge, Refused } = DeadLetterCause;
    const letters = [TooLarge, Refused, TooLarge, Refused, Refused].map((cause) => ({ cause }) as DeadLetterRecord);
    const backlog = new InMemoryBacklog(
      { system: new Map(), transport: new Map() },
      new Map(letters.map((letter) => [newId(), letter])),
    );
    expect(Object.fromEntries(await backlog.countDeadLetters(10))).toEqual({ TooLarge: 2, Refused: 3 });
    expect(Object.fromEntries(await backlog.countDeadLetters(3))).toEqual({ TooLarge: 2, Refused: 1 });
    expect((await backlog.countDeadLetters(0)).size).toBe(0);
  });
});

describe('a copy of a record', () => {
  class Late extends LateRecord {
    static written = 0;
    readonly type = 'svc.Late';
    readonly timestamp = 1;
    readonly correlationId = this.id;
    readonly causationId = null;
    readonly scope = null;
    get body(): string {
      Late.written++;
      return '{}';
    }
  }
  const pending = (): PendingRecord => {
    const id = newId();
    const own = { id, type: 'test.Happened', streamId: newId(), body: '{}', timestamp: 1, correlationId: id };
    return { ...own, causationId: newId(), scope: { userId: 'ann' }, metadata: { a: { b: 1 } }, expectedPosition: 3 };
  };

  it('has the values of an event, and cannot be changed through it', () => {
    const event = pending();
    const { expectedPosition: _expected, ...stored } = structuredClone(event);
    const copy = copiedEvent(event);
    expect(copy).toEqual(stored);
    Object.assign(event.metadata['a'] as object, { b: 2 });
    Object.assign(event.scope!, { userId: 'bob' });
    expect(copy).toEqual(stored);
    expect(() => Object.assign(copy.metadata['a'] as object, { b: 3 })).toThrow(TypeError);
  });

  it('has the values of a message, and cannot be changed through it', () => {
    const { expectedPosition: _expected, streamId: _stream, ...own } = pending();
    const stored = structuredClone(own);
    const copy = copiedMessage(own);
    expect(copy).toEqual(stored);
    Object.assign(own.metadata['a'] as object, { b: 2 });
    Object.assign(own.scope!, { userId: 'bob' });
    expect(copy).toEqual(stored);
    expect(copiedMessage({ ...own, scope: null, metadata: {} })).toMatchObject({ scope: null, metadata: {} });
  });

  it('with values that JSON cannot express is not made', () => {
    expect(() => copiedEvent({ ...pending(), metadata: { a: 1n } })).toThrow(TypeError);
  });

  it('of a record that writes its JSON late is the record itself, which is not written', () => {
    const late = new Late(newId());
    expect(copiedEvent(late)).toBe(late);
    expect(copiedMessage(late)).toBe(late);
    expect(Late.written).toBe(0);
  });

  it('has its place in the log when it is read, and each reader gets another one', () => {
    const event = copiedEvent(pending());
    const entry = { event, position: 2, sequence: 7 };
    expect(recordOf(entry)).toEqual({ ...event, position: 2, sequence: 7 });
    expect(recordOf(entry)).not.toBe(recordOf(entry));
  });
});
