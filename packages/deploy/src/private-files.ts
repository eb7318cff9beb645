import { chmod, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/** Creates a folder and its missing parents, accessible to the owner only. Existing folders retain their mode. */
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

/** Creates a file, accessible to the owner only, and opens it for appending. Fails with EEXIST if it exists. */
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

/** Opens a file for appending. A missing file is created, accessible to the owner only. */
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
  // The umask only removes bits, but possibly those of the owner.
  await chmod(path, folderMode);
}
