import type { ArchiveStore } from '../storage/index.js';

/** An archive in memory, whose files a case can remove or change. */
export class MemoryArchive implements ArchiveStore {
  readonly where = 'memory';
  readonly files = new Map<string, Uint8Array>();

  write(name: string, content: Uint8Array): Promise<void> {
    this.files.set(name, content);
    return Promise.resolve();
  }

  read(name: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.files.get(name) ?? null);
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()]);
  }
}
