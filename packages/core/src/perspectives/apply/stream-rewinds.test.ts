import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { wrap, type Event } from '../../messages/index.js';
import type { OpenRewind, OutgoingRecord, StoredEvent } from '../../storage/index.js';
import { idOf } from '../testing/trial-events.js';
import type { PlannedRewinds } from './rewind-events.js';
import { ModelRewind } from './rewind.js';
import { StreamRewinds, type RewindReport } from './stream-rewinds.js';

const [streamA, streamB] = [idOf(0xa), idOf(0xb)];
const startedAt = new Date('2026-01-01T00:00:00Z');

function happened(number: number, streamId: Uuid): StoredEvent {
  return { streamId, position: number, sequence: number, envelope: { ...wrap('t', {}), id: idOf(number) } };
}

/** A model that is replayed because of late events. */
function rewind(id: string, late: StoredEvent[], others: StoredEvent[], snapshot: number | null = null): ModelRewind {
  const found = snapshot === null ? null : { id, eventId: idOf(snapshot), body: '{}', version: 100 };
  return new ModelRewind({ id, key: id, owner: '', scope: null }, late, found, [...late, ...others]);
}

function planned(perspectiveName: string, rewinds: ModelRewind[], isSegment = false): PlannedRewinds {
  return { perspectiveName, rewinds, isSegment };
}

/** The events themselves instead of their messages. */
const outgoingOf = (event: Event): OutgoingRecord => event as unknown as OutgoingRecord;
const rewindsOf = (perspectiveNames: readonly string[], open: readonly OpenRewind[] = []): StreamRewinds =>
  new StreamRewinds(open, { lane: 'lane', perspectiveNames, outgoingOf });

/** The name and the properties of each event. */
const eventsOf = ({ outgoing }: RewindReport): [string, object][] =>
  outgoing.map((event) => [event.constructor.name, { ...event }]);
const namesOf = (report: RewindReport): string[] => eventsOf(report).map(([name]) => name);
const nobody = (): Promise<boolean> => Promise.resolve(false);
const everyone = (): Promise<boolean> => Promise.resolve(true);

/** An open rewind of a stream that one perspective has started. */
function openOf(streamId: Uuid, begun: readonly string[], upTo = 9): OpenRewind {
  const started = { triggeringEventId: idOf(3), startedAt: 5, finalEventId: idOf(7), eventsReplayed: 0 };
  return {
    streamId,
    startedAt: 5,
    upTo: { sequence: upTo },
    perspectiveNames: [],
    eventsReplayed: 0,
    begun: begun.map((perspectiveName) => ({ perspectiveName, ...started })),
  };
}

describe('the start of a rewind', () => {
  it('reports the stream with all perspectives that replay it, then the perspective', () => {
    const own = planned('Orders', [rewind('m', [happened(5, streamA)], [happened(8, streamA)], 4)]);
    const others = [
      planned('Totals', [rewind('n', [happened(3, streamA)], [happened(6, streamA)])]),
      planned('Totals', [rewind('o', [happened(4, streamA)], [])], true),
      planned('Other', [rewind('p', [happened(1, streamB)], [])]),
    ];
    const rewinds = rewindsOf(['Orders', 'Totals', 'Other']);
    const report = rewinds.begin(own, others, { sequence: 9, transaction: 2 }, startedAt);
    expect(eventsOf(report)).toEqual([
      [
        'StreamRewindStarted',
        { streamId: streamA, perspectiveNames: ['Orders', 'Totals'], triggerEventId: idOf(3), startedAt },
      ],
      [
        'PerspectiveRewindStarted',
        {
          streamId: streamA,
          perspectiveName: 'Orders',
          triggeringEventId: idOf(5),
          replayFromSnapshotEventId: idOf(4),
          hasSnapshot: true,
          startedAt,
        },
      ],
    ]);
    expect(report.rewinds).toEqual({
      lane: 'lane',
      known: [],
      open: [
        {
          streamId: streamA,
          startedAt: startedAt.getTime(),
          upTo: { sequence: 9, transaction: 2 },
          perspectiveNames: [],
          eventsReplayed: 0,
          begun: [
            {
              perspectiveName: 'Orders',
              triggeringEventId: idOf(5),
              startedAt: startedAt.getTime(),
              finalEventId: idOf(8),
              eventsReplayed: 0,
            },
          ],
        },
      ],
    });
    expect(rewinds.hasOpen).toBe(false);
    rewinds.committed(report);
    expect(rewinds.hasOpen).toBe(true);
  });

  it('stores only the place of the last event, without a transaction where there is none', () => {
    const own = planned('Orders', [rewind('m', [happened(5, streamA)], [])]);
    const upTo = happened(9, streamA);
    const { open } = rewindsOf(['Orders']).begin(own, [], upTo, startedAt).rewinds;
    expect(Object.entries(open[0]!.upTo)).toEqual([['sequence', 9]]);
  });

  it('is triggered by the earliest late event of the stream among several models', () => {
    const own = planned('Orders', [
      rewind('m', [happened(6, streamA), happened(1, streamB)], [happened(9, streamA)], 5),
      rewind('n', [happened(4, streamA)], [happened(8, streamA)]),
      rewind('o', [happened(7, streamA)], [], 2),
      rewind('p', [happened(2, streamB)], [happened(12, streamB)]),
    ]);
    const report = rewindsOf(['Orders']).begin(own, [], { sequence: 9 }, startedAt);
    expect(report.rewinds.open.map(({ begun }) => begun![0]!.finalEventId)).toEqual([idOf(9), idOf(12)]);
    const events = eventsOf(report);
    expect(events.map(([name]) => name)).toEqual([
      'StreamRewindStarted',
      'PerspectiveRewindStarted',
      'StreamRewindStarted',
      'PerspectiveRewindStarted',
    ]);
    expect(events[1]![1]).toMatchObject({
      streamId: streamA,
      triggeringEventId: idOf(4),
      replayFromSnapshotEventId: null,
      hasSnapshot: false,
    });
    expect(events[3]![1]).toMatchObject({
      streamId: streamB,
      triggeringEventId: idOf(1),
      replayFromSnapshotEventId: idOf(5),
    });
  });

  it('of a second perspective does not report the stream again, and never moves its end back', () => {
    const known = openOf(streamA, ['Orders']);
    const own = planned('Totals', [rewind('n', [happened(5, streamA)], [])]);
    const earlier = rewindsOf(['Orders', 'Totals'], [known]).begin(own, [], { sequence: 8 }, startedAt);
    expect(namesOf(earlier)).toEqual(['PerspectiveRewindStarted']);
    expect(earlier.rewinds.known).toEqual([known]);
    expect(earlier.rewinds.open[0]!.upTo).toEqual({ sequence: 9 });
    expect(earlier.rewinds.open[0]!.begun!.map((one) => one.perspectiveName)).toEqual(['Orders', 'Totals']);
    const later = rewindsOf(['Orders', 'Totals'], [known]).begin(own, [], { sequence: 10 }, startedAt);
    expect(later.rewinds.open[0]!.upTo).toEqual({ sequence: 10 });
  });

  it('after an interruption replaces the earlier start, and retains what segments have replayed', () => {
    const [begun] = openOf(streamA, ['Orders', 'Totals']).begun!;
    const known = { ...openOf(streamA, ['Totals']), begun: [{ ...begun!, eventsReplayed: 4 }] };
    const own = planned('Orders', [rewind('m', [happened(5, streamA)], [])]);
    const { rewinds } = rewindsOf(['Orders', 'Totals'], [known]).begin(own, [], { sequence: 9 }, startedAt);
    expect(rewinds.open[0]!.begun).toEqual([
      {
        perspectiveName: 'Orders',
        triggeringEventId: idOf(5),
        startedAt: startedAt.getTime(),
        finalEventId: idOf(5),
        eventsReplayed: 4,
      },
    ]);
  });

  it('is reported by the first segment only', () => {
    const own = planned('Orders', [rewind('m', [happened(5, streamA)], [])], true);
    const others = rewindsOf(['Orders'], [openOf(streamA, ['Totals', 'Orders'])]);
    expect(others.begin(own, [], { sequence: 9 }, startedAt)).toEqual({
      outgoing: [],
      rewinds: { lane: 'lane', known: [], open: [] },
    });
    const first = rewindsOf(['Orders'], [openOf(streamA, ['Totals'])]).begin(own, [], { sequence: 9 }, startedAt);
    expect(namesOf(first)).toEqual(['PerspectiveRewindStarted']);
  });
});

describe('the end of a rewind', () => {
  const own = planned('Orders', [rewind('m', [happened(5, streamA), happened(8, streamA)], [])]);

  it('is reported with the perspective, and with the stream when no perspective is behind it', async () => {
    const rewinds = rewindsOf(['Orders'], [openOf(streamA, ['Orders'])]);
    const report = await rewinds.complete(own, { sequence: 9 }, nobody);
    const completedAt = expect.any(Date) as Date;
    expect(eventsOf(report)).toEqual([
      [
        'PerspectiveRewindCompleted',
        {
          streamId: streamA,
          perspectiveName: 'Orders',
          triggeringEventId: idOf(3),
          finalEventId: idOf(8),
          eventsReplayed: 2,
          startedAt: new Date(5),
          completedAt,
        },
      ],
      [
        'StreamRewindCompleted',
        {
          streamId: streamA,
          perspectiveNames: ['Orders'],
          totalEventsReplayed: 2,
          startedAt: new Date(5),
          completedAt,
        },
      ],
    ]);
    expect(report.rewinds).toMatchObject({ known: [openOf(streamA, ['Orders'])], open: [] });
    rewinds.committed(report);
    expect(rewinds.hasOpen).toBe(false);
  });

  it('waits for the perspectives that have not passed it', async () => {
    const rewinds = rewindsOf(['Orders', 'Totals'], [openOf(streamA, ['Orders', 'Totals'])]);
    const report = await rewinds.complete(own, { sequence: 9 }, nobody);
    expect(namesOf(report)).toEqual(['PerspectiveRewindCompleted']);
    expect(report.rewinds.open).toMatchObject([{ perspectiveNames: ['Orders'], eventsReplayed: 2 }]);
    expect(report.rewinds.open[0]!.begun!.map((one) => one.perspectiveName)).toEqual(['Totals']);
    rewinds.committed(report);
    expect(rewinds.hasOpen).toBe(true);
    const totals = planned('Totals', [rewind('n', [happened(6, streamA)], [])]);
    const asked: unknown[] = [];
    const last = await rewinds.complete(totals, { sequence: 9 }, (name, place) => {
      asked.push([name, place]);
      return everyone();
    });
    expect(asked).toEqual([['Orders', { sequence: 9 }]]);
    // Others are asked, wherever the perspective itself is.
    asked.length = 0;
    await rewinds.complete(totals, { sequence: 8 }, (name) => Promise.resolve(asked.push(name) > 0));
    expect(asked).toEqual(['Orders']);
    expect(namesOf(last)).toEqual(['PerspectiveRewindCompleted', 'StreamRewindCompleted']);
    // The last event of an earlier batch is later than those that were replayed now.
    expect(last.outgoing[0]).toMatchObject({ finalEventId: idOf(7), eventsReplayed: 1 });
    expect(last.outgoing[1]).toMatchObject({ perspectiveNames: ['Orders', 'Totals'], totalEventsReplayed: 3 });
  });

  it('is not reached while the perspective itself is before the place', async () => {
    const rewinds = rewindsOf(['Orders'], [openOf(streamA, [])]);
    const none = planned('Orders', []);
    expect(await rewinds.complete(none, { sequence: 8 }, everyone)).toMatchObject({
      outgoing: [],
      rewinds: { open: [] },
    });
    const segment = planned('Orders', [], true);
    expect(namesOf(await rewinds.complete(segment, { sequence: 9 }, nobody))).toEqual([]);
    expect(namesOf(await rewinds.complete(segment, { sequence: 9 }, everyone))).toEqual(['StreamRewindCompleted']);
    expect(namesOf(await rewinds.complete(none, { sequence: 9 }, nobody))).toEqual(['StreamRewindCompleted']);
  });

  it('of a segment adds to those of the other segments, and the last one reports it', async () => {
    const rewinds = rewindsOf(['Orders'], [openOf(streamA, ['Orders', 'Totals'])]);
    const segment = { ...own, isSegment: true };
    const first = await rewinds.complete(segment, { sequence: 9 }, nobody);
    expect(first.outgoing).toEqual([]);
    expect(first.rewinds.open[0]!.begun).toMatchObject([
      { perspectiveName: 'Orders', eventsReplayed: 2, finalEventId: idOf(8) },
      { perspectiveName: 'Totals', eventsReplayed: 0, finalEventId: idOf(7) },
    ]);
    rewinds.committed(first);
    const last = await rewinds.complete(segment, { sequence: 9 }, everyone);
    expect(last.outgoing[0]).toMatchObject({ perspectiveName: 'Orders', eventsReplayed: 4 });
    expect(last.outgoing[1]).toMatchObject({ perspectiveNames: ['Orders'], totalEventsReplayed: 4 });
  });

  it('names a perspective once that was replayed twice', async () => {
    const twice = { ...openOf(streamA, ['Orders']), perspectiveNames: ['Orders'], eventsReplayed: 10 };
    const report = await rewindsOf(['Orders'], [twice]).complete(own, { sequence: 9 }, nobody);
    expect(report.outgoing.at(-1)).toMatchObject({ perspectiveNames: ['Orders'], totalEventsReplayed: 12 });
  });

  it('of a stream without a start of a perspective, as one that an earlier version stored, is reported', async () => {
    const { begun: _, ...stored } = openOf(streamA, []);
    const report = await rewindsOf(['Orders'], [stored]).complete(planned('Orders', []), { sequence: 9 }, nobody);
    expect(namesOf(report)).toEqual(['StreamRewindCompleted']);
  });

  it('of other streams leaves an open rewind as it is', async () => {
    const open = [openOf(streamA, ['Orders']), openOf(streamB, ['Orders'], 20)];
    const report = await rewindsOf(['Orders'], open).complete(own, { sequence: 9 }, everyone);
    expect(report.rewinds).toEqual({ lane: 'lane', known: [open[0]], open: [] });
  });
});

describe('rewinds that a rebuild has passed', () => {
  it('are completed without a batch', async () => {
    const rewinds = rewindsOf(['Orders', 'Totals'], [openOf(streamA, ['Orders', 'Totals'])]);
    const report = await rewinds.overdue(everyone);
    expect(namesOf(report!)).toEqual([
      'PerspectiveRewindCompleted',
      'PerspectiveRewindCompleted',
      'StreamRewindCompleted',
    ]);
    expect(report!.rewinds.open).toEqual([]);
  });

  it('are completed for the perspectives that have passed them, and nothing is reported without any', async () => {
    const rewinds = rewindsOf(['Orders', 'Totals'], [openOf(streamA, ['Orders', 'Totals'])]);
    expect(await rewinds.overdue(nobody)).toBeNull();
    const report = await rewinds.overdue((name) => Promise.resolve(name === 'Totals'));
    expect(namesOf(report!)).toEqual(['PerspectiveRewindCompleted']);
    expect(report!.outgoing[0]).toMatchObject({ perspectiveName: 'Totals' });
    expect(report!.rewinds.open[0]!.begun!.map((one) => one.perspectiveName)).toEqual(['Orders']);
    expect(await rewindsOf(['Orders']).overdue(everyone)).toBeNull();
  });
});
