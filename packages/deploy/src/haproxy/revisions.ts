import type { Revision } from '../platform/index.js';
import { StateFile } from '../state-file.js';

const maxRevisions = 20;

interface Entry {
  readonly revision: number;
  readonly version: string;
}

/** Versions in the order in which they went into service. The last one is current. */
export class RevisionFile {
  readonly #file: StateFile;

  constructor(path: string) {
    this.#file = new StateFile(path);
  }

  async read(): Promise<readonly Revision[]> {
    const entries = await this.#entries();
    return entries.map(({ revision, version }, i) => ({ revision, version, current: i === entries.length - 1 }));
  }

  /** A version that is deployed again gets a new number, as in a cluster. */
  async add(version: string): Promise<void> {
    const entries = await this.#entries();
    const last = entries.at(-1);
    if (last?.version === version) return;
    const next = [
      ...entries.filter((entry) => entry.version !== version),
      { revision: (last?.revision ?? 0) + 1, version },
    ];
    await this.#file.write(JSON.stringify(next.slice(-maxRevisions), null, 2));
  }

  async #entries(): Promise<readonly Entry[]> {
    const text = await this.#file.read();
    return text === null ? [] : (JSON.parse(text) as Entry[]);
  }
}
