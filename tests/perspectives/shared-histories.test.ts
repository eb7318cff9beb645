/** Hosts join, leave and die in any order while events are appended: every model is what its events make of it, and each rewind is reported once. */
import { newId, RebuildMode, type Service, type StoredEvent, type StreamEvent, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect, type OrderPlaced } from '../system-events/shop.js';
import { causalOrder } from './causal-order.js';
import { MortalHost } from './mortal-host.js';
import { append, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';
import { areWhole, rewindsOf } from './rewind-sequences.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const runs = 2 * Number(process.env['SVC_TEST_HISTORIES'] ?? 1);
const mostHosts = 4;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());

const stream = fc.nat({ max: 3 });
const note = fc.nat({ max: 7 });
const which = fc.nat();
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), stream, note, which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('burst' as const), stream, which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('late' as const), stream, note, which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('join' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('death' as const), which, calls: fc.nat({ max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 1_500 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rebuild' as const),
      mode: fc.constantFrom(...Object.values(RebuildMode)),
      which,
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

interface Host {
  readonly mortal: MortalHost;
  readonly service: Service;
}

/** Hosts on one database. One of them lives as long as the history: what others were asked for may have happened, or not. */
class SharedHistory {
  readonly #hosts: Host[] = [];
  readonly #left: Host[] = [];
  readonly #streams = Array.from({ length: 4 }, () => newId());
  readonly #unused = Array.from({ length: 10 }, () => newId());

  /** Starts with three hosts for two perspectives that have divided one of them. */
  async begin(): Promise<void> {
    for (let hosts = 0; hosts < 3; hosts++) await this.join();
    const divided = 'SELECT count(*)::int AS perspectives FROM svc_perspectives WHERE segments > 1';
    const isDivided = async (): Promise<boolean> =>
      ((await database.query(divided)).rows[0] as { perspectives: number }).perspectives > 0;
    while (!(await isDivided())) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'join') await this.join();
    if (step.kind === 'leave') await this.#stop(step.which);
    if (step.kind === 'wait') await new Promise((resolve) => setTimeout(resolve, step.ms));
    if (step.kind === 'death') this.#any(step.which)?.mortal.dieIn(step.calls);
    if (step.kind === 'append' || step.kind === 'burst') {
      const service = this.#alive(step.which);
      const all = step.kind === 'append' ? [step.note] : Array.from({ length: 40 }, (_, i) => i % 8);
      await Promise.all(all.map((each) => this.#append(service, step.stream, each)));
    }
    if (step.kind === 'late') {
      const id = this.#unused.shift() ?? newId();
      await tolerant(append(this.#alive(step.which), this.#streams[step.stream]!, `note ${step.note}`, id));
    }
    if (step.kind === 'rebuild') {
      const { mode } = step;
      await tolerant(this.#alive(step.which).rebuildPerspective(NoteTrace, { mode, streams: this.#streams }));
    }
  }

  async join(): Promise<void> {
    if (this.#hosts.length >= mostHosts) return;
    const mortal = new MortalHost();
    const storage = mortal.storage(postgres({ url: database.url, leaseMs: 1_000, divideAfterMs: 0 }));
    const service = shopWith(traces, storage)
      .reportTo(() => {})
      .start();
    this.#hosts.push({ mortal, service });
    await service.ready();
  }

  /** All events in the order of the log, once all models have them. */
  async settled(): Promise<StreamEvent[]> {
    const { service } = this.first;
    const log: StoredEvent[] = [];
    for (const streamId of this.#streams) {
      log.push(...((await collect(service.eventStore.readStream(streamId))) as StoredEvent[]));
    }
    for (const { envelope } of log) {
      for (const one of [OrderTrace, NoteTrace]) await service.lens(one).waitFor(envelope.id, { timeoutMs: 30_000 });
    }
    return log.toSorted((a, b) => (a.transaction ?? 0) - (b.transaction ?? 0) || a.sequence - b.sequence);
  }

  /** The streams whose rewinds are not, or not yet, reported in the order of the specification. */
  async brokenRewinds(): Promise<Uuid[]> {
    const broken: Uuid[] = [];
    for (const streamId of this.#streams) {
      const events = await rewindsOf(this.first.service, streamId);
      if (events.length > 0 && !areWhole(events)) broken.push(streamId);
    }
    return broken;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#hosts, ...this.#left].map(({ service }) => service.stop()));
  }

  get first(): Host {
    return this.#hosts[0]!;
  }

  /** Not the first one. */
  #any(nth: number): Host | undefined {
    return this.#hosts.length === 1 ? undefined : this.#hosts[1 + (nth % (this.#hosts.length - 1))];
  }

  #alive(nth: number): Service {
    this.#bury();
    return this.#hosts[nth % this.#hosts.length]!.service;
  }

  /** The leases of dead hosts expire: they are stopped only at the end. */
  #bury(): void {
    for (const host of this.#hosts.filter(({ mortal }) => mortal.isDead)) {
      this.#hosts.splice(this.#hosts.indexOf(host), 1);
      this.#left.push(host);
    }
  }

  async #stop(nth: number): Promise<void> {
    this.#bury();
    const host = this.#any(nth);
    if (host === undefined) return;
    this.#hosts.splice(this.#hosts.indexOf(host), 1);
    await host.service.stop();
  }

  async #append(service: Service, at: number, each: number): Promise<void> {
    this.#unused.push(newId());
    await tolerant(append(service, this.#streams[at]!, `note ${each}`));
  }
}

/** Waits for what a host was asked for, which fails if the host dies. */
async function tolerant(work: Promise<unknown>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, 10_000).unref());
  await Promise.race([work.catch(() => {}), limit]);
}

/** The models that the log makes, computed without any of the machinery. */
function folded(log: readonly StreamEvent[], keyOf: (event: StreamEvent) => string): ReadonlyMap<string, Uuid[]> {
  const models = new Map<string, StreamEvent[]>();
  for (const event of log) models.set(keyOf(event), [...(models.get(keyOf(event)) ?? []), event]);
  const idsOf = (events: readonly StreamEvent[]): Uuid[] => {
    const placed = events.map(({ envelope: { id, metadata } }) => ({
      id,
      isReceived: metadata['origin'] !== undefined,
    }));
    return causalOrder(placed).map(({ id }) => id);
  };
  return new Map([...models].map(([key, events]) => [key, idsOf(events)]));
}

it(
  `builds the expected models from ${runs} random histories of hosts that share perspectives (SVC_TEST_SEED=${seed})`,
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 30, size: 'max' }), async (steps) => {
        await database.reset();
        const history = new SharedHistory();
        try {
          await history.begin();
          for (const step of steps) await history.take(step);
          const log = await history.settled();
          const { service } = history.first;
          for (const [key, ids] of folded(log, ({ streamId }) => streamId)) {
            expect((await service.lens(OrderTrace).find(key))?.ids).toEqual(ids);
          }
          for (const [key, ids] of folded(log, ({ envelope }) => (envelope.payload as OrderPlaced).note)) {
            expect((await service.lens(NoteTrace).find(key))?.ids).toEqual(ids);
          }
          // A perspective that is rebuilt during its rewind does not complete it.
          if (steps.every(({ kind }) => kind !== 'rebuild')) {
            await expect.poll(() => history.brokenRewinds(), { timeout: 20_000 }).toEqual([]);
          }
        } finally {
          await history.end();
        }
      }),
      { seed, numRuns: runs, endOnFailure: true },
    );
  },
);
