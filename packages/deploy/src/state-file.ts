import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A text that is written whole or not at all; null: there is none. */
export class StateFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<string | null> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(text: string | null): Promise<void> {
    if (text === null) return await rm(this.#path, { force: true });
    await mkdir(dirname(this.#path), { recursive: true });
    // A name of its own: two may write at once, and each of them whole.
    const next = `${this.#path}.${randomUUID()}.new`;
    await writeFile(next, text);
    await rename(next, this.#path);
  }
}
