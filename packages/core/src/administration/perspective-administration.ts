import { NotFoundError } from '../dispatch/index.js';
import { ValidationError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { OperationKind, type RebuildArguments } from '../operations/index.js';
import { perspectiveHolders, perspectiveLanes } from '../perspectives/index.js';
import {
  leasesOf,
  type OperationRecord,
  type PerspectiveStorage,
  type RecordedPerspective,
  type StoppedStream,
} from '../storage/index.js';
import { RebuildMode } from '../system-events/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead, authorizeOperatorWrite } from './authorize-operator.js';
import { MeasuredStandings, type PerspectiveLag, type SegmentState } from './measured-standings.js';
import { requestOperation } from './operation-administration.js';
import { limitOf, listed, type Listed, type Page } from './page.js';
import { Recent } from './recent.js';

const mostOpen = 100;
/** How long a measurement of all perspectives is shared: a host measures at most once in this time, however many operators look. */
const sharedMs = 1_000;

/** A perspective: its place and lag, its stopped streams, its hosts, and the operation that changes it. */
export interface PerspectiveState extends RecordedPerspective, PerspectiveLag {
  /** The number of stopped streams. */
  readonly stopped: number;
  /** One for each version of the service that runs; null: unknown. */
  readonly hosts: readonly (string | null)[];
  /** Empty: it is not divided. */
  readonly segments: readonly SegmentState[];
  /** The rebuild or retry that has not ended; null: none. */
  readonly operation: OperationRecord | null;
}

/** The perspectives in a database, for operators. */
export class PerspectiveAdministration {
  readonly #parts: AdministrationParts;
  readonly #measured = new Recent<MeasuredStandings>(sharedMs);

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** All perspectives. While one lags, its rate is measured for a second, once for all who ask in this second. */
  async list(): Promise<readonly PerspectiveState[]> {
    await authorizeOperatorRead(this.#parts.access);
    return await this.#read(
      () => true,
      (storage, names) => this.#measured.get(storage, names.join(' '), () => MeasuredStandings.measure(storage, names)),
    );
  }

  /** A perspective, and a page of its stopped streams in the order of their ids. */
  async find(
    name: string,
    page: Page = {},
  ): Promise<{ readonly perspective: PerspectiveState; readonly stopped: Listed<StoppedStream> }> {
    await authorizeOperatorRead(this.#parts.access);
    // Not a shared measurement: who has just retried a stream must not see it as stopped.
    const [perspective] = await this.#read(
      (one) => one === name,
      (storage, names) => MeasuredStandings.measure(storage, names),
    );
    if (perspective === undefined) throw await this.#unknown(name);
    const { after = '' } = page;
    const all = await (await this.#parts.perspectivesOf()).readStopped(name);
    const limit = limitOf(page);
    const found = all
      .filter(({ streamId }) => streamId > after)
      .toSorted((a, b) => (a.streamId < b.streamId ? -1 : 1))
      .slice(0, limit + 1);
    return { perspective, stopped: listed(found, limit, ({ streamId }) => streamId) };
  }

  /** Requests a rebuild of the models. It is rejected while another rebuild of the perspective has not ended. */
  async rebuild(name: string, given: RebuildArguments, reason: string): Promise<OperationRecord> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    requireConsistent(given);
    await this.#requireKnown(name);
    return await requestOperation(
      this.#parts,
      { operator, reason },
      { kind: OperationKind.RebuildPerspective, target: name, arguments: { ...given }, isAlone: true },
    );
  }

  /** Requests a retry of a stopped stream; null: of all of them. */
  async retry(name: string, stream: Uuid | null, reason: string): Promise<OperationRecord> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    await this.#requireKnown(name);
    return await requestOperation(
      this.#parts,
      { operator, reason },
      {
        kind: OperationKind.RetryStreams,
        target: name,
        arguments: stream === null ? {} : { stream },
        isAlone: true,
      },
    );
  }

  async #read(
    isWanted: (name: string) => boolean,
    measure: (storage: PerspectiveStorage, names: readonly string[]) => Promise<MeasuredStandings>,
  ): Promise<readonly PerspectiveState[]> {
    const storage = await this.#parts.storageOf();
    const perspectives = await this.#parts.perspectivesOf();
    const known = (await perspectives.readPerspectives()).filter(({ perspective }) => isWanted(perspective));
    const names = known.map(({ perspective }) => perspective);
    const standings = await measure(perspectives, names);
    const open = (await storage.operations?.readOpen(mostOpen)) ?? [];
    const holders = perspectiveHolders(await leasesOf(storage).readHeld(perspectiveLanes));
    return known.map((one) => {
      const { perspective } = one;
      const own = holders.filter((holder) => holder.perspective === perspective);
      const { behind, oldestWaiting, eventsPerSecond } = standings.lagOf(perspective);
      return Object.assign(one, {
        behind,
        oldestWaiting,
        eventsPerSecond,
        stopped: standings.stoppedOf(perspective),
        hosts: [...new Set(own.map(({ process }) => process))],
        segments: standings.segmentsOf(perspective, holders),
        operation: open.find(({ kind, target }) => target === perspective && kind.startsWith('perspectives.')) ?? null,
      });
    });
  }

  async #requireKnown(name: string): Promise<void> {
    const known = await (await this.#parts.perspectivesOf()).readPerspectives();
    if (!known.some(({ perspective }) => perspective === name)) throw await this.#unknown(name);
  }

  async #unknown(name: string): Promise<NotFoundError> {
    const known = await (await this.#parts.perspectivesOf()).readPerspectives();
    const names = known.map(({ perspective }) => perspective).join(', ');
    return new NotFoundError(
      `There is no perspective ${name}. ${names === '' ? 'There are none.' : `There are ${names}.`}`,
    );
  }
}

/** Throws if the arguments of a rebuild cannot be combined. */
function requireConsistent({ mode, streams, eventsPerSecond }: RebuildArguments): void {
  if ((mode === RebuildMode.SelectedStreams) !== (streams !== undefined && streams.length > 0)) {
    const detail = 'Give streams with the mode SelectedStreams, and only with it.';
    throw new ValidationError([{ pointer: '/streams', detail }]);
  }
  // New events are applied to the same table and cannot be delayed.
  if (eventsPerSecond !== undefined && mode === RebuildMode.InPlace) {
    throw new ValidationError([{ pointer: '/eventsPerSecond', detail: 'Not with the mode InPlace.' }]);
  }
}
