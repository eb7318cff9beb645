/** Installed packages, found as Node finds them. Their `exports` do not matter. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Without symbolic links. */
  readonly folder: string;
  /** The names of its dependencies and peers. */
  readonly needs: readonly string[];
}

/** The package that code in a folder imports by this name; null: none. */
export function findPackage(name: string, from: string): InstalledPackage | null {
  const modules = moduleFolders(from).find((folder) => existsSync(join(folder, name, 'package.json')));
  return modules === undefined ? null : readPackage(realpathSync(join(modules, name)));
}

/** All packages of svc that code in a folder can import. */
export function svcPackages(from: string): readonly InstalledPackage[] {
  const names = moduleFolders(from)
    .map((folder) => join(folder, '@svc'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder));
  return [...new Set(names)].flatMap((name) => findPackage(`@svc/${name}`, from) ?? []);
}

/** The package in a folder. `parts`: where its manifest names what it needs. */
export function readPackage(folder: string, parts = ['dependencies', 'peerDependencies']): InstalledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const needs = parts.flatMap((part) => Object.keys((manifest[part] as object) ?? {}));
  return { name: textOf(manifest['name']), version: textOf(manifest['version']), folder, needs };
}

function moduleFolders(from: string): readonly string[] {
  const parent = dirname(from);
  return [join(from, 'node_modules'), ...(parent === from ? [] : moduleFolders(parent))];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
