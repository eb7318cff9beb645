/** Whatever happens, in whatever order: at the end every model is what its events make of it in causal order. */
import {
  createService,
  newId,
  RebuildMode,
  type Service,
  type StoredEvent,
  type StreamEvent,
  type Uuid,
} from '@svc/core';
import { InProcessTransport, type TransportMessage } from '@svc/core/transport';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { describeStores, type OpenStore } from './storages.js';
import { collect, OrderPlaced, shopEvents, shopRegistry } from '../system-events/shop.js';
import { causalOrder } from './causal-order.js';
import { MortalHost } from './mortal-host.js';
import { append, NoteTrace, OrderTrace, traces, type Trace } from './perspective-shop.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);

const stream = fc.nat({ max: 2 });
const note = fc.constantFrom('a', 'b', '', 'remove');
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('append' as const), stream, note }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('late' as const), stream, note, back: fc.nat({ max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('burst' as const), stream, note }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('idle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('death' as const), calls: fc.nat({ max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rebuild' as const),
      mode: fc.constantFrom(...Object.values(RebuildMode)),
      which: fc.constantFrom(OrderTrace, NoteTrace),
      waits: fc.boolean(),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** A host on a store, and whoever comes after it; what they received from elsewhere, and ids that were made and not used. */
class History {
  readonly #open: OpenStore;
  #streams: Uuid[] = [];
  #run = '';
  readonly #unused: Uuid[] = [];
  #received: TransportMessage[] = [];
  #rebuilds: Promise<unknown>[] = [];
  #transport = new InProcessTransport();
  #host = new MortalHost();
  #service: Service;

  constructor(open: OpenStore) {
    this.#open = open;
    this.#service = this.#start();
  }

  get service(): Service {
    return this.#service;
  }

  /** Other streams and other notes than before: nothing of an earlier run is touched. */
  begin(): void {
    this.#run = newId();
    this.#streams = [newId(), newId(), newId()];
    this.#unused.splice(0, Infinity, ...Array.from({ length: 5 }, () => newId()));
    this.#received = [];
  }

  /** A host that dies meanwhile has a successor. What it was asked for may have happened, or not. */
  async take(step: Step): Promise<void> {
    try {
      // Whoever waits for a dead host waits for ever.
      await Promise.race([this.#take(step), this.#host.died]);
    } catch (error) {
      if (!this.#host.isDead) throw error;
    }
    if (this.#host.isDead) await this.#replace();
  }

  /** Everything that has happened in this run, in the order of the log, once all models have it. */
  async settled(): Promise<StreamEvent[]> {
    this.#host.live();
    if (this.#host.isDead) await this.#replace();
    await this.#settle();
    const log: StoredEvent[] = [];
    for (const streamId of this.#streams)
      log.push(...((await collect(this.#service.eventStore.readStream(streamId))) as StoredEvent[]));
    for (const one of [OrderTrace, NoteTrace]) {
      for (const streamId of this.#streams) {
        const last = log.findLast((event) => event.streamId === streamId);
        if (last !== undefined) await this.#service.lens(one).waitFor(last.envelope.id, { timeoutMs: 30_000 });
      }
    }
    return log.toSorted((a, b) => (a.transaction ?? 0) - (b.transaction ?? 0) || a.sequence - b.sequence);
  }

  async #take(step: Step): Promise<void> {
    if (step.kind === 'append') await this.#append(step.stream, step.note);
    if (step.kind === 'burst') {
      await Promise.all(Array.from({ length: 105 }, () => this.#append(step.stream, step.note)));
    }
    if (step.kind === 'idle') await this.#settle();
    if (step.kind === 'late') await this.#receive(this.#message(step.stream, step.note, step.back));
    if (step.kind === 'again' && this.#received.length > 0) {
      await this.#receive(this.#received[step.which % this.#received.length]!);
    }
    if (step.kind === 'death') this.#host.dieIn(step.calls);
    if (step.kind === 'restart') {
      const host = this.#host;
      await this.#settle();
      // A host that died is replaced already.
      if (this.#host === host && !host.isDead) await this.#replace();
    }
    if (step.kind === 'rebuild') {
      const rebuilding = this.#service.rebuildPerspective(step.which, { mode: step.mode, streams: this.#streams });
      rebuilding.catch(() => {});
      this.#rebuilds.push(rebuilding);
      if (step.waits) await rebuilding;
    }
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#rebuilds);
    await this.#transport.idle();
    await this.#service.idle();
  }

  async #replace(): Promise<void> {
    await this.#service.stop();
    this.#rebuilds = [];
    this.#transport = new InProcessTransport();
    this.#host = new MortalHost();
    this.#service = this.#start();
  }

  #start(): Service {
    const service = createService({ ...shopRegistry(), perspectives: traces })
      .useStorage(this.#host.storage(this.#open()))
      .addSystemEvents((options) => options.enablePerspectiveEvents())
      .addServicePerspectives()
      .useTransport(this.#transport)
      .acceptEvents(shopEvents)
      .reportTo(() => {});
    onTestFinished(() => service.stop());
    return service.start();
  }

  #note(text: string): string {
    return text === '' ? '' : `${text} ${this.#run}`;
  }

  /** With a new id, and another one made for something that will come later. */
  #append(at: number, text: string): Promise<Uuid> {
    this.#unused.push(newId());
    return append(this.#service, this.#streams[at]!, this.#note(text));
  }

  #message(at: number, text: string, back: number): TransportMessage {
    const [id = newId()] = this.#unused.splice(Math.max(0, this.#unused.length - 1 - back), 1);
    return {
      id,
      type: 'shop.OrderPlaced',
      body: JSON.stringify({ note: this.#note(text) }),
      timestamp: 0,
      correlationId: id,
      causationId: null,
      scope: null,
      metadata: {},
      streamId: this.#streams[at]!,
      destination: 'shop',
      origin: 'elsewhere',
    };
  }

  async #receive(message: TransportMessage): Promise<void> {
    await this.#service.ready();
    this.#received.push(message);
    await this.#transport.publish([message]);
  }
}

/** What the log makes of the models, told without any of the machinery. */
function folded(log: readonly StreamEvent[], keyOf: (event: StreamEvent) => string | null, removes: boolean) {
  const models = new Map<string, Trace | null>();
  const events = log.filter(({ envelope }) => envelope.payload instanceof OrderPlaced);
  for (const key of new Set(events.map(keyOf))) {
    if (key === null) continue;
    const placed = events
      .filter((event) => keyOf(event) === key)
      .map(({ envelope: { id, metadata, payload } }) => ({
        id,
        isReceived: metadata['origin'] !== undefined,
        payload,
      }));
    for (const { id, payload } of causalOrder(placed)) {
      const isRemoved = removes && (payload as OrderPlaced).note.startsWith('remove');
      models.set(key, isRemoved ? null : { ids: [...(models.get(key)?.ids ?? []), id] });
    }
  }
  return models;
}

/** `SVC_TEST_HISTORIES=10` for ten times as many. */
const times = Number(process.env['SVC_TEST_HISTORIES'] ?? 1);
const runs = { memory: 100 * times, SQLite: 8 * times, PostgreSQL: 4 * times };
/** A new store takes its time, and a rebuild replays what all runs on a store have left. */
const runsPerStore = { memory: 1, SQLite: 8, PostgreSQL: 8 };

describeStores((stores, name) => {
  it(
    `builds the expected models from ${runs[name]} random histories (SVC_TEST_SEED=${seed})`,
    { timeout: 300_000 },
    async () => {
      let history: History | undefined;
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 12, size: 'max' }), async (steps) => {
          if (run++ % runsPerStore[name] === 0) {
            await history?.service.stop();
            history = new History(await stores.fresh());
          }
          history!.begin();
          for (const step of steps) await history!.take(step);
          const log = await history!.settled();
          const { service } = history!;
          const orders = folded(log, ({ streamId }) => streamId, true);
          const notes = folded(log, ({ envelope }) => (envelope.payload as OrderPlaced).note || null, false);
          for (const [key, model] of orders) expect(await service.lens(OrderTrace).find(key)).toEqual(model);
          for (const [key, model] of notes) expect(await service.lens(NoteTrace).find(key)).toEqual(model);
        }),
        { seed, numRuns: runs[name] },
      );
    },
  );
});
