/** The fields of the rewind events: models are rewound because events of another database arrive late. */
import {
  createService,
  newId,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
  type ReceptorContext,
  type Service,
  type Uuid,
} from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import type { Storage } from '@svc/core/storage';
import { expect } from 'vitest';
import { OtherDatabase } from '../perspectives/other-database.js';
import { place, traces } from '../perspectives/perspective-shop.js';
import { collect, OrderPlaced, type PlaceOrder, records, shopEvents, shopRegistry } from '../system-events/shop.js';
import { describeRecords, isBetween, whileRunning, type Rows } from './recorded.js';

/** Snapshots are made every 100 events of a model. */
const manyEvents = 120;

/** One stream that was rewound. */
interface Rewound {
  readonly streamId: Uuid;
  /** The event that arrived late. */
  readonly late: Uuid;
  /** All events of the stream, in causal order. */
  readonly ids: readonly Uuid[];
  readonly streamStarted: readonly StreamRewindStarted[];
  readonly started: readonly PerspectiveRewindStarted[];
  readonly completed: readonly PerspectiveRewindCompleted[];
  readonly streamCompleted: readonly StreamRewindCompleted[];
}

interface Recorded {
  /** Of three events, with models of both perspectives. */
  readonly short: Rewound;
  /** Of many events, with a model of one perspective. */
  readonly long: Rewound;
  /** When the late events arrived, and when their models had them. */
  readonly between: readonly [Date, Date];
}

/** An order whose note is `many` has many events; one without a note is in the perspective by order alone. */
function receive(command: object, context: ReceptorContext): void {
  const { orderId, note } = command as PlaceOrder;
  const written = note === 'many' ? '' : note;
  for (let i = 0; i < (note === 'many' ? manyEvents : 1); i++)
    context.append(orderId, Object.assign(new OrderPlaced(), { note: written }));
}

async function recordOn(storage: Storage): Promise<Recorded> {
  const transport = new InProcessTransport();
  const service = createService({ ...shopRegistry(receive), perspectives: traces })
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents(shopEvents)
    .addSystemEvents((options) => options.enablePerspectiveEvents())
    .addServicePerspectives()
    .start();
  return await whileRunning(service, async () => {
    const elsewhere = new OtherDatabase(transport);
    const [short, long] = [newId(), newId()];
    await place(service, 'many', long);
    await place(service, 'few', short);
    const late = [await elsewhere.place(short, 'few'), await elsewhere.place(long, '')] as const;
    await place(service, 'few', short);
    await place(service, '', long);
    await service.idle();
    const began = new Date();
    await elsewhere.release();
    await service.idle();
    const between = [began, new Date()] as const;
    await elsewhere.stop();
    return { short: await rewound(service, short, late[0]), long: await rewound(service, long, late[1]), between };
  });
}

async function rewound(service: Service, streamId: Uuid, late: Uuid): Promise<Rewound> {
  const ofStream = async <T extends { streamId: Uuid }>(type: new () => T): Promise<T[]> =>
    (await records(service, type)).filter((event) => event.streamId === streamId);
  const events = await collect(service.eventStore.readStream(streamId));
  return {
    streamId,
    late,
    ids: events.map(({ envelope }) => envelope.id).toSorted(),
    streamStarted: await ofStream(StreamRewindStarted),
    started: await ofStream(PerspectiveRewindStarted),
    completed: await ofStream(PerspectiveRewindCompleted),
    streamCompleted: await ofStream(StreamRewindCompleted),
  };
}

const bothNames = ['NoteTrace', 'OrderTrace'];

const rows: Rows<Recorded> = {
  'StreamId: the stream that is rewound': ({ short, long }) => {
    const counts = ({ streamStarted, started, completed, streamCompleted }: Rewound): number[] =>
      [streamStarted, started, completed, streamCompleted].map(({ length }) => length);
    expect([counts(short), counts(long)]).toEqual([
      [1, 2, 2, 1],
      [1, 1, 1, 1],
    ]);
  },
  'PerspectiveName: the perspective that is rewound, not on the stream-level pair': ({ short, long }) => {
    for (const events of [short.started, short.completed])
      expect(events.map(({ perspectiveName }) => perspectiveName).toSorted()).toEqual(bothNames);
    for (const events of [long.started, long.completed])
      expect(events.map(({ perspectiveName }) => perspectiveName)).toEqual(['OrderTrace']);
    for (const event of [...short.streamStarted, ...short.streamCompleted])
      expect(event).not.toHaveProperty('perspectiveName');
  },
  'PerspectiveRewindStarted.TriggeringEventId: the late event': ({ short, long }) =>
    expect([...short.started, ...long.started].map(({ triggeringEventId }) => triggeringEventId)).toEqual([
      short.late,
      short.late,
      long.late,
    ]),
  'PerspectiveRewindStarted.ReplayFromSnapshotEventId: event of the nearest snapshot, or null': ({ short, long }) =>
    expect([...short.started, ...long.started].map((event) => event.replayFromSnapshotEventId)).toEqual([
      null,
      null,
      long.ids[99],
    ]),
  'PerspectiveRewindStarted.HasSnapshot: whether there is a snapshot': ({ short, long }) =>
    expect([...short.started, ...long.started].map(({ hasSnapshot }) => hasSnapshot)).toEqual([false, false, true]),
  'PerspectiveRewindStarted.StartedAt: when it began': ({ short, between }) =>
    expect(short.started.map(({ startedAt }) => isBetween(startedAt, between))).toEqual([true, true]),
  'PerspectiveRewindCompleted.TriggeringEventId: the late event': ({ short, long }) =>
    expect([...short.completed, ...long.completed].map(({ triggeringEventId }) => triggeringEventId)).toEqual([
      short.late,
      short.late,
      long.late,
    ]),
  'PerspectiveRewindCompleted.FinalEventId: the last event that was replayed': ({ short, long }) =>
    expect([...short.completed, ...long.completed].map(({ finalEventId }) => finalEventId)).toEqual([
      short.ids.at(-1),
      short.ids.at(-1),
      long.ids.at(-1),
    ]),
  'PerspectiveRewindCompleted.EventsReplayed: all events, or those after the snapshot': ({ short, long }) =>
    expect([...short.completed, ...long.completed].map(({ eventsReplayed }) => eventsReplayed)).toEqual([3, 3, 22]),
  'PerspectiveRewindCompleted.StartedAt: when it began': ({ long }) =>
    expect(long.completed.map(({ startedAt }) => startedAt)).toEqual(long.started.map(({ startedAt }) => startedAt)),
  'PerspectiveRewindCompleted.CompletedAt: when it ended': ({ short, between }) =>
    expect(short.completed.map((event) => isBetween(event.completedAt, [event.startedAt, between[1]]))).toEqual([
      true,
      true,
    ]),
  'StreamRewindStarted.PerspectiveNames: all perspectives that are rewound': ({ short, long }) =>
    expect([...short.streamStarted, ...long.streamStarted].map((event) => event.perspectiveNames.toSorted())).toEqual([
      bothNames,
      ['OrderTrace'],
    ]),
  'StreamRewindStarted.TriggerEventId: the late event': ({ short, long }) =>
    expect([...short.streamStarted, ...long.streamStarted].map(({ triggerEventId }) => triggerEventId)).toEqual([
      short.late,
      long.late,
    ]),
  'StreamRewindStarted.StartedAt: when it began': ({ short, between }) =>
    expect(isBetween(short.streamStarted[0]!.startedAt, between)).toBe(true),
  'StreamRewindCompleted.PerspectiveNames: all perspectives that were rewound': ({ short, long }) =>
    expect(
      [...short.streamCompleted, ...long.streamCompleted].map((event) => event.perspectiveNames.toSorted()),
    ).toEqual([bothNames, ['OrderTrace']]),
  'StreamRewindCompleted.TotalEventsReplayed: events of all perspectives together': ({ short, long }) =>
    expect([...short.streamCompleted, ...long.streamCompleted].map((event) => event.totalEventsReplayed)).toEqual([
      6, 22,
    ]),
  'StreamRewindCompleted.StartedAt: when it began': ({ short }) =>
    expect(short.streamCompleted[0]!.startedAt).toEqual(short.streamStarted[0]!.startedAt),
  'StreamRewindCompleted.CompletedAt: when it ended': ({ short, between }) => {
    const { startedAt, completedAt } = short.streamCompleted[0]!;
    expect(isBetween(completedAt, [startedAt, between[1]])).toBe(true);
  },
};

describeRecords(recordOn, rows);
