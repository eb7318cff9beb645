import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { behindEverything, isOfSegment, type PendingRecord } from '../../storage/index.js';
import type { AppliedEvent } from '../perspective.js';
import { receivedAfter } from '../testing/trial-events.js';
import type { Noted } from '../testing/trial-messages.js';
import { appendNote, applyNotes, notesOf as notesIn, notesPerspective } from '../testing/trial-notes.js';
import { eventAsOutgoing as outgoingOf, TrialHost, wake } from '../testing/trial-host.js';

/** The notes that a perspective has applied to a stream, in their order. */
const notes = (name: string) => notesPerspective({ name, separator: ' ' });

const stream = newId();
let host: TrialHost;

beforeEach(() => void (host = new TrialHost()));
afterEach(async () => {
  await host.stop();
  if (host.errors.length > 0) throw host.errors[0];
});

const append = (note: string, fields: Partial<PendingRecord>): Uuid =>
  appendNote(host.storage, note, { streamId: stream, ...fields }).id;
const notesOf = (name: string): Promise<string | undefined> => notesIn(host.storage.perspectives, name, stream);

describe('late events', () => {
  const eventsOf = (): string[] =>
    host.commits.flatMap(({ outgoing = [] }) => outgoing.map((one) => one.constructor.name));
  let ids: Uuid[];

  beforeEach(async () => {
    ids = [newId(), newId(), newId()];
    append('a', { id: ids[0]! });
    append('c', { id: ids[2]! });
    await host.runAll([notes('A'), notes('B')]);
    append('b', { id: ids[1]!, metadata: receivedAfter(ids[2]!) });
    host.commits.length = 0;
  });

  it('are applied in their order, without rewind events if these are disabled', async () => {
    await host.runAll([notes('A'), notes('B')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b c', 'a b c']);
    expect(eventsOf()).toEqual([]);
    expect(host.queued).toBe(0);
  });

  it('are applied to a model whose key is the id of its first event', async () => {
    const first = append('q', { body: '{"note":"q","key":null}' });
    const answer = (note: string, fields: Partial<PendingRecord>): Uuid =>
      append(note, { body: JSON.stringify({ note, key: first }), ...fields });
    const [early, late] = [newId(), newId()];
    answer('z', { id: late });
    const perspective = { apply: applyNotes(), keyOf: ({ key }: Noted, { id }: AppliedEvent) => key ?? id };
    const answers = { ...notes('C'), perspective };
    await host.runAll([answers]);
    answer('y', { id: early, metadata: receivedAfter(late) });
    await host.runAll([answers]);
    expect(await notesIn(host.storage.perspectives, 'C', first)).toBe('qyz');
    const { sources } = await host.storage.perspectives.readSources('C', first, null);
    // Of the answers only.
    expect(sources).toMatchObject([{ events: 0b110000 }]);
  });

  it('are reported: the start before models change, the end with them', async () => {
    await host.runAll([notes('A'), notes('B')], { outgoingOf });
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b c', 'a b c']);
    expect(
      host.commits.map(({ perspective, models, outgoing = [] }) => [perspective, models.length, outgoing.length]),
    ).toEqual([
      ['A', 0, 2],
      ['A', 1, 1],
      ['B', 0, 1],
      ['B', 1, 2],
    ]);
    expect(eventsOf()).toEqual([
      'StreamRewindStarted',
      'PerspectiveRewindStarted',
      'PerspectiveRewindCompleted',
      'PerspectiveRewindStarted',
      'PerspectiveRewindCompleted',
      'StreamRewindCompleted',
    ]);
    expect(host.commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A', 'B'], triggerEventId: ids[1] });
    expect(host.queued).toBe(4);
    expect(await host.storage.perspectives.readRewinds('lane')).toEqual([]);
  });

  it('name the perspectives of other hosts, which complete the rewind', async () => {
    const all = [notes('A'), notes('B')];
    host.others = [{ perspective: 'B' }];
    host.own = [{ perspective: 'A' }];
    await host.run(all, { outgoingOf });
    expect(eventsOf()).toEqual(['StreamRewindStarted', 'PerspectiveRewindStarted', 'PerspectiveRewindCompleted']);
    expect(host.commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A', 'B'] });
    expect(await host.storage.perspectives.readRewinds('lane')).toMatchObject([{ perspectiveNames: ['A'], begun: [] }]);
    host.commits.length = 0;
    host.own = [{ perspective: 'B' }];
    host.others = [{ perspective: 'A' }];
    await host.run(all, { outgoingOf });
    expect(eventsOf()).toEqual(['PerspectiveRewindStarted', 'PerspectiveRewindCompleted', 'StreamRewindCompleted']);
  });

  it('do not name a perspective of another host whose models belong to another version', async () => {
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables) => {
      const name = typeof tables === 'string' ? tables : tables.name;
      return { ...(await readProgress(tables)), ...(name === 'B' && { sequence: behindEverything }) };
    };
    host.others = [{ perspective: 'B' }];
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A'), notes('B')], { outgoingOf });
    expect(host.commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A'] });
    // It has nothing to pass.
    expect(eventsOf().at(-1)).toBe('StreamRewindCompleted');
  });

  it('whose rewind all perspectives have passed by a rebuild are completed by the next round', async () => {
    const begun = { triggeringEventId: ids[1]!, startedAt: 1, finalEventId: ids[2]!, eventsReplayed: 3 };
    const open = {
      streamId: stream,
      startedAt: 1,
      upTo: { sequence: 2 },
      perspectiveNames: [],
      eventsReplayed: 0,
      begun: [{ perspectiveName: 'A', ...begun }],
    };
    await host.moveTo('A', 2, { rewinds: { lane: 'lane', known: [], open: [open] } });
    host.own = [{ perspective: 'A' }];
    host.others = [{ perspective: 'B' }];
    const one = host.worker([notes('A'), notes('B')], { outgoingOf });
    await wake(one);
    // B is still before the place.
    expect(eventsOf()).toEqual(['PerspectiveRewindCompleted']);
    await host.moveTo('B', 2);
    await wake(one);
    expect(eventsOf()).toEqual(['StreamRewindCompleted']);
    expect(host.commitsOf('A')).toEqual([2]);
    expect(await host.storage.perspectives.readRewinds('lane')).toEqual([]);
  });

  it('of a divided perspective are completed once all of its segments have passed', async () => {
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    const index = isOfSegment(stream, { index: 0, of: 2 }) ? 0 : 1;
    let otherSegment = 1;
    perspectives.readProgress = async (tables) => {
      const progress = await readProgress(tables);
      if (tables !== 'A') return progress;
      const behind = { ...progress, sequence: otherSegment };
      const segments = index === 0 ? [progress, behind] : [behind, progress];
      return { ...progress, sequence: Math.min(...segments.map(({ sequence }) => sequence)), segments };
    };
    host.own = [{ perspective: 'A', segment: { index, of: 2 } }];
    const one = host.worker([notes('A')], { outgoingOf });
    await wake(one);
    expect(host.reached.at(-1)).toBe(`A#${index}/2 at 2`);
    expect(await notesOf('A')).toBe('a b c');
    expect(eventsOf()).toEqual(['StreamRewindStarted', 'PerspectiveRewindStarted']);
    otherSegment = 2;
    await wake(one);
    expect(eventsOf().slice(2)).toEqual(['PerspectiveRewindCompleted', 'StreamRewindCompleted']);
  });
});
