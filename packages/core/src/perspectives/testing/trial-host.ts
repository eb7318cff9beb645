import type { BackgroundWorker } from '../../background/index.js';
import { newId, type Event } from '../../messages/index.js';
import { EventLog, InMemoryStorage, type OutgoingRecord, type PerspectiveCommit } from '../../storage/index.js';
import { nameOfWork, type PerspectiveWork } from '../apply/perspective-work.js';
import { perspectiveWorker, type PerspectiveWorkerParts } from '../apply/perspective-worker.js';
import type { NamedPerspective } from '../perspective.js';
import { commitChanges, observeCommits } from './trial-commits.js';
import { emitterTo } from './trial-emitter.js';
import { trialMessages } from './trial-messages.js';

/** More than any test needs: a worker that never ends fails a test instead of blocking it. */
const mostRounds = 30;

/** A host with perspectives in a storage of its own, which records what its workers do. */
export class TrialHost {
  readonly storage = new InMemoryStorage();
  readonly commits: PerspectiveCommit[];
  readonly emitted: object[] = [];
  readonly errors: unknown[] = [];
  /** The places that were reported, such as `A at 2`. */
  readonly reached: string[] = [];
  /** The work whose leases the workers asked for. */
  readonly asked: string[] = [];
  /** The work that had a part in a round, such as `A` or `A is behind`. */
  readonly progressed: string[] = [];
  /** The work of this host. */
  own: readonly PerspectiveWork[] = [];
  /** The work of other hosts. */
  others: readonly PerspectiveWork[] = [];
  /** Whether this host still holds the lease of some work. */
  holds: (work: PerspectiveWork) => boolean = () => true;
  /** Called before each commit. */
  beforeCommit: (commit: PerspectiveCommit) => void = () => {};
  /** How many messages were queued. */
  queued = 0;
  rounds = 0;
  readonly #workers: BackgroundWorker[] = [];

  constructor() {
    const { storage } = this;
    this.commits = observeCommits(storage.perspectives, (commit) => this.beforeCommit(commit));
    let reads = 0;
    const readAll = storage.readAll.bind(storage);
    storage.readAll = (after) => {
      if (++reads > mostRounds) throw new Error('It reads the log without an end.');
      return readAll(after);
    };
  }

  worker(perspectives: readonly NamedPerspective[], parts: Partial<PerspectiveWorkerParts> = {}): BackgroundWorker {
    const made = perspectiveWorker(perspectives, {
      log: new EventLog(this.storage, trialMessages),
      storage: this.storage.perspectives,
      emitter: emitterTo(this.emitted),
      outgoingOf: null,
      queued: () => void this.queued++,
      reached: (work, { sequence }) => void this.reached.push(`${nameOfWork(work)} at ${sequence}`),
      lane: 'lane',
      share: {
        take: () =>
          Promise.resolve(
            ++this.rounds < mostRounds ? { own: this.own, others: this.others } : { own: [], others: [] },
          ),
        holds: (work) => {
          this.asked.push(nameOfWork(work));
          return Promise.resolve(this.holds(work));
        },
        progressed: (work, isBehind) => void this.progressed.push(`${nameOfWork(work)}${isBehind ? ' is behind' : ''}`),
      },
      report: (error) => void this.errors.push(error),
      ...parts,
    });
    this.#workers.push(made);
    return made;
  }

  /** Processes what there is, for the work of this host. */
  async run(perspectives: readonly NamedPerspective[], parts?: Partial<PerspectiveWorkerParts>): Promise<void> {
    await wake(this.worker(perspectives, parts));
  }

  /** Processes what there is, for perspectives that are all of this host. */
  async runAll(perspectives: readonly NamedPerspective[], parts?: Partial<PerspectiveWorkerParts>): Promise<void> {
    this.own = perspectives.map(({ name }) => ({ perspective: name }));
    await this.run(perspectives, parts);
  }

  /** Moves a perspective to a place, as if it had processed the events up to there. */
  async moveTo(name: string, to: number, changes?: Partial<PerspectiveCommit>): Promise<void> {
    await commitChanges(this.storage.perspectives, name, { to, ...changes });
    this.commits.length = 0;
  }

  /** The places to which a perspective has committed. */
  commitsOf(name: string): number[] {
    return this.commits.filter(({ perspective }) => perspective === name).map(({ to }) => to);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((one) => one.stop()));
    if (this.rounds >= mostRounds) throw new Error('It works without an end.');
  }
}

/** Lets a worker process what there is. */
export async function wake(worker: BackgroundWorker): Promise<void> {
  worker.wake();
  await worker.idle();
}

/** Rewind events instead of their messages. */
export function eventAsOutgoing(event: Event): OutgoingRecord {
  const outgoing = { id: newId(), lane: 'system', eventId: null, message: null };
  return Object.assign(event, outgoing) as unknown as OutgoingRecord;
}
