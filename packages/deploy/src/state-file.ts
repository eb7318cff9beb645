import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createPrivately, hasCode, privateFolder } from './private-files.js';

/** A text that is written completely or not at all; null: no file. Only its owner can read it, unless the owner chose another mode. */
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

  /** Creates the file with a text. Of several concurrent attempts, one succeeds. */
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

  /** A unique temporary file, so that concurrent writers do not mix their texts. */
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

/** Copies the mode and the group of the file that is replaced. */
async function takeOver(file: FileHandle, { mode, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.gid !== gid) {
    try {
      await file.chown(own.uid, gid);
    } catch (error) {
      if (!hasCode(error, 'EPERM')) throw error;
      // If this user is not in the group, its bits would apply to another group.
      return await file.chmod(mode & 0o707);
    }
  }
  await file.chmod(mode & 0o777);
}

function nullWithoutFile(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
