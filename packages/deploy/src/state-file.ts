import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
    await rename(await this.#written(text), this.#path);
  }

  /** Writes a text where there is none. Of several that do so at once, one succeeds. */
  async create(text: string): Promise<boolean> {
    const written = await this.#written(text);
    try {
      await link(written, this.#path);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(written, { force: true });
    }
  }

  /** A file of its own: two may write at once, and each of them whole. */
  async #written(text: string): Promise<string> {
    await mkdir(dirname(this.#path), { recursive: true });
    const path = `${this.#path}.${randomUUID()}.new`;
    await writeFile(path, text);
    return path;
  }
}
