/** Whatever happens, in whatever order: at the end every model is what its events make of it in the order of their ids. */
import {
  InProcessTransport,
  newId,
  RebuildMode,
  type Service,
  type StoredEvent,
  type TransportMessage,
  type Uuid,
} from '@svc/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeStores, type OpenStore } from './storages.js';
import { collect, OrderPlaced } from '../system-events/shop.js';
import { append, NoteTrace, OrderTrace, shopWith, traces, type Trace } from './perspective-shop.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);

const stream = fc.nat({ max: 2 });
const note = fc.constantFrom('a', 'b', '', 'remove');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('append' as const), stream, note }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('late' as const), stream, note, back: fc.nat({ max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('burst' as const), stream, note }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('idle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
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
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A service, what it received from elsewhere, and ids that were made and not used. */
class History {
  readonly #open: OpenStore;
  readonly #streams = [newId(), newId(), newId()];
  readonly #unused: Uuid[] = Array.from({ length: 5 }, () => newId());
  readonly #received: TransportMessage[] = [];
  readonly #rebuilds: Promise<unknown>[] = [];
  #transport = new InProcessTransport();
  service: Service;

  constructor(open: OpenStore) {
    this.#open = open;
    this.service = this.#start();
  }

  async take(taken: Step): Promise<void> {
    if (taken.kind === 'append') await append(this.service, this.#streams[taken.stream]!, taken.note, this.#id());
    if (taken.kind === 'burst') for (let i = 0; i < 120; i++) await this.#burst(taken.stream, taken.note);
    if (taken.kind === 'idle') await this.settle();
    if (taken.kind === 'late') await this.#receive(this.#message(taken.stream, taken.note, taken.back));
    if (taken.kind === 'again' && this.#received.length > 0) {
      await this.#receive(this.#received[taken.which % this.#received.length]!);
    }
    if (taken.kind === 'restart') {
      await this.settle();
      await this.service.stop();
      this.#transport = new InProcessTransport();
      this.service = this.#start();
    }
    if (taken.kind === 'rebuild') {
      const rebuilding = this.service.rebuildPerspective(taken.which, { mode: taken.mode, streams: this.#streams });
      this.#rebuilds.push(rebuilding);
      if (taken.waits) await rebuilding;
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#rebuilds);
    await this.#transport.idle();
    await this.service.idle();
  }

  #start(): Service {
    return shopWith(traces, this.#open()).useTransport(this.#transport).start();
  }

  /** A new id, and another one for something that will come later. */
  #id(): Uuid {
    this.#unused.push(newId());
    return newId();
  }

  #burst(at: number, text: string): Promise<Uuid> {
    return append(this.service, this.#streams[at]!, text, this.#id());
  }

  #message(at: number, text: string, back: number): TransportMessage {
    const [id = newId()] = this.#unused.splice(Math.max(0, this.#unused.length - 1 - back), 1);
    return {
      id,
      type: 'shop.OrderPlaced',
      body: JSON.stringify({ note: text }),
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
    await this.service.ready();
    this.#received.push(message);
    await this.#transport.publish([message]);
  }
}

/** What the log makes of the models, told without any of the machinery. */
function folded(log: readonly StoredEvent[], keyOf: (event: StoredEvent) => string | null, removes: boolean) {
  const models = new Map<string, Trace | null>();
  const events = log.filter(({ envelope }) => envelope.payload instanceof OrderPlaced);
  for (const event of events.toSorted((a, b) => (a.envelope.id < b.envelope.id ? -1 : 1))) {
    const key = keyOf(event);
    if (key === null) continue;
    const isRemoved = removes && (event.envelope.payload as OrderPlaced).note === 'remove';
    models.set(key, isRemoved ? null : { ids: [...(models.get(key)?.ids ?? []), event.envelope.id] });
  }
  return models;
}

/** On the databases a short share: what they keep is held to the contract of storages, too. */
const runs = { memory: 300, SQLite: 15, PostgreSQL: 8 };

describeStores((stores, name) => {
  it(`makes of random histories what they are (SVC_TEST_SEED=${seed})`, { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25, size: 'max' }), async (steps) => {
        const history = new History(await stores.fresh());
        for (const taken of steps) await history.take(taken);
        await history.settle();
        const log = await collect(history.service.eventStore.readAll());
        const orders = folded(log, ({ streamId }) => streamId, true);
        const notes = folded(log, ({ envelope }) => (envelope.payload as OrderPlaced).note || null, false);
        for (const [key, model] of orders) expect(await history.service.lens(OrderTrace).find(key)).toEqual(model);
        for (const [key, model] of notes) expect(await history.service.lens(NoteTrace).find(key)).toEqual(model);
        await history.service.stop();
      }),
      { seed, numRuns: runs[name] },
    );
  });
});
