import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newId } from '../../messages/index.js';
import type { ArchiveStore } from './archive-store.js';

const unfinished = '.unfinished';

/** An archive in a folder. svc creates it with access for its owner only. */
export function folderArchive(folder: string): ArchiveStore {
  const where = resolve(folder);
  return {
    where,
    async write(name, content) {
      await mkdir(where, { recursive: true, mode: 0o700 });
      const path = join(where, `${name}.${newId()}${unfinished}`);
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      // A reader sees the whole file or none.
      await rename(path, join(where, name));
      await syncFolder(where);
    },
    read: (name) => readFile(join(where, name)).catch(nullIfMissing),
    async list() {
      const names = (await readdir(where).catch(nullIfMissing)) ?? [];
      return names.filter((name) => name.endsWith('.jsonl.gz')).toSorted();
    },
  };
}

/** Makes the name of a new file durable. Windows has no such operation, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
