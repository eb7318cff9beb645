import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Why nothing can be written to a folder; null if it is empty or does not exist. */
export function folderProblem(folder: string): string | null {
  try {
    const first = readdirSync(folder).find((name) => name !== '.git');
    return first === undefined
      ? null
      : `The folder ${folder} is not empty: it contains "${first}". Choose another folder.`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ENOTDIR') return `${folder} is a file. Choose another folder.`;
    throw error;
  }
}

/** Writes all files into an empty folder. If one cannot be written, it removes the others. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  // The first folder that is new; undefined if it existed.
  const created = mkdirSync(folder, { recursive: true });
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx', ...(path === '.env' && { mode: 0o600 }) });
    }
  } catch (error) {
    if (created === undefined) {
      for (const name of new Set([...files.keys()].map((path) => path.split('/')[0]!))) {
        rmSync(join(folder, name), { recursive: true, force: true });
      }
    } else {
      rmSync(created, { recursive: true, force: true });
    }
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
