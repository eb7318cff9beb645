import { ServiceError } from '../../errors/index.js';
import { ArchiveMissingError } from './archive-error.js';
import { decodeArchive, type ArchiveFile } from './archive-file.js';
import type { ArchiveStore } from './archive-store.js';

/** How many files are held in memory: those that were read last. Readers of the log need one at a time. */
const mostHeld = 4;

/** The bodies of a file, by sequence number. */
type Bodies = ReadonlyMap<number, string>;

/** Reads the bodies of archived events from their files. */
export class ArchivedBodies {
  readonly #findFile: (number: number) => Promise<ArchiveFile>;
  readonly #held = new Map<number, Bodies>();
  readonly #loading = new Map<number, Promise<Bodies>>();
  #store: ArchiveStore | null;

  constructor(store: ArchiveStore | null, findFile: (number: number) => Promise<ArchiveFile>) {
    this.#store = store;
    this.#findFile = findFile;
  }

  /** Reads files from this store from now on. */
  use(store: ArchiveStore): void {
    this.#store = store;
    this.#held.clear();
  }

  /** The body of the event with a sequence number, out of the file with a number. Returns a promise only if the file must be read. */
  read(archive: number, sequence: number): string | Promise<string> {
    const bodies = this.#held.get(archive);
    if (bodies !== undefined) return bodyIn(bodies, archive, sequence);
    return this.#loaded(archive).then((loaded) => bodyIn(loaded, archive, sequence));
  }

  /** Readers that need the same file wait for one of them. */
  #loaded(archive: number): Promise<Bodies> {
    let loading = this.#loading.get(archive);
    if (loading === undefined) {
      loading = this.#load(archive).finally(() => this.#loading.delete(archive));
      this.#loading.set(archive, loading);
    }
    return loading;
  }

  async #load(archive: number): Promise<Bodies> {
    const file = await this.#findFile(archive);
    const store = this.#store;
    if (store === null) throw new ArchiveMissingError(file);
    const records = await decodeArchive(file, await store.read(file.name), store.where);
    const bodies = new Map(records.map(({ sequence, body }) => [sequence, body]));
    this.#held.set(archive, bodies);
    for (const number of this.#held.keys()) {
      if (this.#held.size <= mostHeld) break;
      this.#held.delete(number);
    }
    return bodies;
  }
}

function bodyIn(bodies: Bodies, archive: number, sequence: number): string {
  const body = bodies.get(sequence);
  if (body !== undefined) return body;
  throw new ServiceError(
    'SVC_ARCHIVE_DAMAGED',
    `The archive file with number ${archive} in svc_archives has no event with sequence ${sequence}. Restore the database and the archive from one backup.`,
  );
}
