import { chmod, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/** Creates a folder, and those above it, where they are missing, for their owner alone. What exists keeps its mode. */
export async function privateFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    const parent = dirname(resolve(path));
    if (!hasCode(error, 'ENOENT') || parent === resolve(path)) throw error;
    await privateFolder(parent);
    await makeFolder(path);
  }
}

/** Creates a file for its owner alone, and opens it for writing at its end. Fails with EEXIST when there is one. */
export async function createPrivately(path: string): Promise<FileHandle> {
  const file = await open(path, 'ax', fileMode);
  try {
    await file.chmod(fileMode);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file for writing at its end. One that is missing is created for its owner alone. */
export async function appendPrivately(path: string): Promise<FileHandle> {
  try {
    return await createPrivately(path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return await open(path, 'a', fileMode);
    throw error;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, folderMode);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
  // The umask can only take bits away, but those of the owner may be among them.
  await chmod(path, folderMode);
}
