import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createPrivately, hasCode, privateFolder } from './private-files.js';

/** A text that is written whole or not at all; null: there is none. Its owner alone can read it, unless the owner chose another mode. */
export class StateFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<string | null> {
    return await readFile(this.#path, 'utf8').catch(nullWithoutFile);
  }

  async write(text: string | null): Promise<void> {
    if (text === null) return await rm(this.#path, { force: true });
    const before = await stat(this.#path).catch(nullWithoutFile);
    await rename(await this.#written(text, before), this.#path);
  }

  /** Writes a text where there is none. Of several that do so at once, one succeeds. */
  async create(text: string): Promise<boolean> {
    const written = await this.#written(text, null);
    try {
      await link(written, this.#path);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(written, { force: true });
    }
  }

  /** A file of its own: two may write at once, and each of them whole. */
  async #written(text: string, before: Stats | null): Promise<string> {
    await privateFolder(dirname(this.#path));
    const path = `${this.#path}.${randomUUID()}.new`;
    const file = await createPrivately(path);
    try {
      await file.writeFile(text);
      if (before !== null) await takeOver(file, before);
    } finally {
      await file.close();
    }
    return path;
  }
}

/** Gives a file the mode and the group of the one that it replaces. */
async function takeOver(file: FileHandle, { mode, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.gid !== gid) {
    try {
      await file.chown(own.uid, gid);
    } catch (error) {
      if (!hasCode(error, 'EPERM')) throw error;
      // The bits of a group that this user is not in would be given to another group.
      return await file.chmod(mode & 0o707);
    }
  }
  await file.chmod(mode & 0o777);
}

function nullWithoutFile(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
