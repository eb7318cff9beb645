/** One random history on hosts whose clocks are wrong, and what must be true of the models that it leaves. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, RebuildMode, type Uuid } from '@svc/core';
import type { LedgerNetwork, NetworkDatabase, NetworkHost } from './ledger-network.js';
import type { Append, Step } from './ledger-steps.js';
import { expectedLabels, expectSame, isOf, violations, type LedgerModel } from './order-checks.js';
import type { KnownEvent, LoggedEvent, Recording } from './skewed-hosts.js';

const hour = 3_600_000;
const limitMs = 30_000;
/** Enough for a snapshot to be taken of a model. */
const burst = 105;

interface Answered extends KnownEvent {
  readonly at: NetworkDatabase;
}

export interface Figures {
  events: number;
  received: number;
  rewinds: number;
  rebuilds: number;
  restarts: number;
}

export class LedgerHistory {
  readonly #network: LedgerNetwork;
  readonly #figures: Figures;
  readonly #streams: readonly Uuid[] = [newId(), newId(), newId()];
  readonly #ledgers: readonly string[] = [`a ${newId()}`, `b ${newId()}`];
  readonly #answered: Answered[] = [];
  /** For each event what its host had appended before: true of all models. */
  readonly #causes = new Map<string, Set<string>>();
  /** For each event what its database had before: true of the models there. */
  readonly #earlier = new Map<string, Set<string>>();
  /** Models as commands have read them. */
  readonly #read: (readonly string[])[] = [];
  #rebuilding: Promise<void> = Promise.resolve();
  #isCut = false;

  constructor(network: LedgerNetwork, figures: Figures) {
    this.#network = network;
    this.#figures = figures;
  }

  /** All clocks go forward: what earlier histories have seen is long ago, and being wrong matters again. */
  async begin(skews: readonly number[]): Promise<void> {
    this.#network.epochMs += 3 * hour;
    for (const host of this.#network.hosts) host.answered = [];
    await Promise.all(this.#network.hosts.map((host, i) => this.#setSkew(host, skews[i % skews.length]!)));
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'append') await this.#append(step);
    if (step.kind === 'concurrently') await Promise.all(step.appends.map((append) => this.#append(append)));
    if (step.kind === 'burst') {
      await Promise.all(Array.from({ length: burst }, () => this.#append({ ...step, sees: 'nothing' })));
    }
    if (step.kind === 'clock') await this.#setSkew(this.#host(step.host), step.skewMs);
    if (step.kind === 'restart') {
      await this.#rebuilding;
      // What it would publish waits for its successor.
      await this.#connect();
      await this.#network.restart(this.#host(step.host), step.skewMs);
      this.#figures.restarts++;
    }
    if (step.kind === 'rebuild') {
      await this.#rebuild(this.#host(step.host), step.mode);
      if (step.waits) await this.#rebuilding;
    }
    if (step.kind === 'cut' && this.#network.databases.length > 1) {
      const { hosts } = this.#network.databases[step.database % this.#network.databases.length]!;
      await Promise.all(hosts.map(({ process }) => process.cut()));
      this.#isCut = true;
    }
    if (step.kind === 'connect') await this.#connect();
    if (step.kind === 'exchange') await this.#exchange();
    if (step.kind === 'check') for (const at of this.#network.databases) await this.#expectModels(at);
  }

  /** Lets everything reach every database, and checks all models there: as they are, and rebuilt. */
  async end(mode: RebuildMode): Promise<void> {
    await this.#rebuilding;
    const models = await this.#exchange();
    for (const [i, at] of this.#network.databases.entries()) {
      await this.#rebuild(at.hosts[0]!, mode);
      await this.#rebuilding;
      expectSame(await this.#expectModels(at), models[i], `${mode} rebuild of database ${i}`);
    }
    // Streams are the same everywhere. Ledgers need not be: two databases may have events of several streams in another order when
    // none of them has caused the other (decision 0075). Both orders keep causality, which is checked above.
    const streams = models.map((those) => those.filter(({ perspective }) => perspective === 'Streams'));
    for (const those of streams) expectSame(those, streams[0], 'streams of both databases');
    for (const labels of this.#read) expectSame(violations(labels, this.#causes), [], 'a model that was read');
    for (const at of this.#network.databases) await this.#expectRewindsOfReceived(at);
    this.#figures.events += this.#answered.length;
  }

  async #append({ host: number, stream, ledger, sees, which = 0 }: Append): Promise<void> {
    const host = this.#host(number);
    const { at } = host;
    const label = `${this.#causes.size}@${at.number}.${at.hosts.indexOf(host)}`;
    const causes = new Set(host.answered);
    this.#causes.set(label, causes);
    this.#earlier.set(label, new Set(this.#answered.filter((one) => one.at === at).map((one) => one.label)));
    const streamId = this.#streams[stream]!;
    const key = this.#ledgers[ledger]!;
    const { latestReceived } = at;
    const { id, models } = await host.process.recordAfter({
      streamId,
      ledger: key,
      label,
      ...this.#reading(sees, streamId, key),
      after: sees === 'answered event' ? await this.#answeredEvent(host, which) : null,
    });
    expectSame(id > latestReceived, true, `${label} (${id}) is not above ${latestReceived}, which came before it`);
    this.#read.push(...models);
    this.#answered.push({ id, label, at });
    host.answered.push(label);
  }

  #reading(sees: Append['sees'], streamId: Uuid, ledger: string): Pick<Recording, 'reads' | 'models'> {
    if (sees === 'stream') return { reads: [streamId] };
    if (sees === 'streams') return { reads: this.#streams };
    if (sees === 'stream model') return { models: [['Streams', streamId]] };
    if (sees === 'ledger model') return { models: [['Ledgers', ledger]] };
    if (sees === 'ledger models') return { models: this.#ledgers.map((key) => ['Ledgers', key]) };
    return {};
  }

  /** An event that a caller names: one of the same database, or of any other that it reaches. */
  async #answeredEvent({ at }: NetworkHost, which: number): Promise<KnownEvent | null> {
    const known = this.#answered.filter((one) => one.at === at || !this.#isCut);
    if (known.length === 0) return null;
    const chosen = known[known.length - 1 - (which % known.length)]!;
    await this.#until(`event ${chosen.label} is on database ${at.number}`, async () =>
      (await this.#log(at)).some(({ label }) => label === chosen.label),
    );
    return { id: chosen.id, label: chosen.label };
  }

  async #connect(): Promise<void> {
    await Promise.all(this.#network.hosts.map(({ process }) => process.connect()));
    this.#isCut = false;
  }

  async #setSkew({ process }: NetworkHost, skewMs: number): Promise<void> {
    await process.setSkew(this.#network.epochMs + skewMs);
  }

  /** One at a time. */
  async #rebuild(host: NetworkHost, mode: RebuildMode): Promise<void> {
    await this.#rebuilding;
    const streams = mode === RebuildMode.SelectedStreams ? { streams: this.#streams } : {};
    this.#rebuilding = host.process.rebuild({ mode, ...streams });
    this.#rebuilding.catch(() => {});
    this.#figures.rebuilds++;
  }

  /** The models of all databases, once everything has reached each of them. */
  async #exchange(): Promise<readonly (readonly LedgerModel[])[]> {
    await this.#connect();
    const all = this.#answered.map(({ label }) => label);
    return await Promise.all(this.#network.databases.map((at) => this.#expectModels(at, all)));
  }

  /** The models of a database, once they have all events of its log, and the log has `labels`. */
  async #expectModels(at: NetworkDatabase, labels: readonly string[] = []): Promise<readonly LedgerModel[]> {
    let log: LoggedEvent[] = [];
    let models: LedgerModel[] = [];
    await this.#until(`database ${at.number} has all events in its models`, async () => {
      log = await this.#log(at);
      const known = new Set(log.map(({ label }) => label));
      if (!labels.every((label) => known.has(label))) return false;
      models = await this.#models(at);
      return models.every((model) => new Set(model.labels).size === log.filter((event) => isOf(model, event)).length);
    });
    for (const { label, seen } of log) for (const cause of seen!) this.#causes.get(label!)!.add(cause);
    const here = new Set(log.filter(({ isReceived }) => !isReceived).map(({ label }) => label!));
    const earlierHere = new Map([...this.#earlier].filter(([label]) => here.has(label)));
    for (const model of models) {
      const { perspective, key, labels: found } = model;
      const wrong = [...violations(found, this.#causes), ...violations(found, earlierHere)];
      expectSame(wrong, [], `causality in ${perspective} ${key} on database ${at.number}`);
      expectSame(found, expectedLabels(model, log), `${perspective} ${key} on database ${at.number}`);
    }
    return models;
  }

  async #models(at: NetworkDatabase): Promise<LedgerModel[]> {
    const named = [
      ...this.#streams.map((key) => ({ perspective: 'Streams' as const, key })),
      ...this.#ledgers.map((key) => ({ perspective: 'Ledgers' as const, key })),
    ];
    const { process } = at.hosts.at(-1)!;
    return await Promise.all(
      named.map(async ({ perspective, key }) => {
        return { perspective, key, labels: await process.storedLabels(perspective, key) };
      }),
    );
  }

  /** The events of this history, in the order of the log. */
  async #log(at: NetworkDatabase): Promise<LoggedEvent[]> {
    return (await this.#wholeLog(at)).filter(({ ledger }) => ledger !== undefined && this.#ledgers.includes(ledger));
  }

  /** Everything that earlier histories have not seen. */
  async #wholeLog(at: NetworkDatabase): Promise<LoggedEvent[]> {
    const log = await at.hosts[0]!.process.log(at.lastSequence);
    for (const { id } of log.filter(({ isReceived }) => isReceived)) {
      at.received.add(id);
      if (id > at.latestReceived) at.latestReceived = id;
    }
    return log;
  }

  /** Only an event of another database can cause a rewind. */
  async #expectRewindsOfReceived(at: NetworkDatabase): Promise<void> {
    for (const { process } of at.hosts) await process.idle();
    const log = await this.#wholeLog(at);
    const triggers = log.flatMap(({ type, triggeringEventId }) =>
      type === 'svc.PerspectiveRewindStarted' ? [triggeringEventId!] : [],
    );
    // Hosts may emit the last ones after the next history has begun.
    const own = triggers.filter((id) => !at.received.has(id));
    expectSame(own, [], `rewinds of database ${at.number} by its own events`);
    at.lastSequence = log.at(-1)?.sequence ?? at.lastSequence;
    this.#figures.received += log.filter(({ isReceived }) => isReceived).length;
    this.#figures.rewinds += triggers.length;
  }

  #host(number: number): NetworkHost {
    return this.#network.hosts[number % this.#network.hosts.length]!;
  }

  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + limitMs;
    while (!(await isTrue())) {
      if (performance.now() > until) throw new Error(`Not within ${limitMs} ms: ${what}.`);
      await sleep(5);
    }
  }
}
