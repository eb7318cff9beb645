import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The program of the package for this platform. npm installs only that one. */
export function programOf(scope: string, path: string): string {
  const packages = join(folder, 'node_modules', scope);
  const found = existsSync(packages) ? readdirSync(packages).map((name) => join(packages, name, path)) : [];
  const program = found.find((file) => existsSync(file) || existsSync(`${file}.exe`));
  if (program === undefined) throw new Error(`${scope} has no program for this platform.`);
  return program;
}
