import type { HeldLease } from '../../storage/index.js';
import { reportingFirst } from '../apply/perspective-failed-error.js';
import type { CatchUpParts } from './catch-up.js';
import type { NamedPerspective } from '../perspective.js';
import { fillFreeSegments, type FillLanes } from './shared-fill.js';

interface HelpParts extends CatchUpParts {
  readonly lanes: FillLanes;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
}

/** Fills new tables together with the hosts that rebuild perspectives. */
export class RebuildHelp {
  readonly #perspectives: ReadonlyMap<string, NamedPerspective>;
  readonly #parts: HelpParts;
  /** By the name of the tables. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(perspectives: readonly NamedPerspective[], parts: HelpParts) {
    this.#perspectives = new Map(perspectives.map((named) => [named.name, named]));
    this.#parts = parts;
  }

  /** Takes part in the rebuilds whose leases other hosts hold. */
  takePart(held: readonly HeldLease[]): void {
    const { lanes, signal, report } = this.#parts;
    for (const shared of lanes.filledByOthers(held)) {
      const { name, perspective } = shared.tables;
      const named = this.#perspectives.get(perspective);
      if (named === undefined || this.#underWay.has(name) || signal.aborted) continue;
      const help = fillFreeSegments(named, shared, lanes, { signal }, reportingFirst(this.#parts))
        .catch((error: unknown) => {
          if (!signal.aborted) report(error);
        })
        .finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, help);
    }
  }

  /** Resolves when this host fills no tables for others. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }
}
