import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a trial. Git ignores it. */
export const trialFolder = '.svc';

/** The content of a file in the folder of a trial. Creates it if it is missing; only its owner can read it. */
export function trialFile(name: string, create: () => string, folder = trialFolder): string {
  const path = join(folder, name);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const complete = `${path}.${process.pid}`;
    writeFileSync(complete, create(), { mode: 0o600, flag: 'wx' });
    try {
      // Another host that starts at the same time sees the whole file or none.
      linkSync(complete, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(complete);
    }
  }
  return readFileSync(path, 'utf8');
}
