/** The test files that can judge mutants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './files.mjs';

/** Folders of `tests` that test a folder of `core`, in addition to the one with the same name. */
const related = {
  access: ['tenants'],
  dispatch: ['hook-lifecycle', 'endpoint-layer', 'deciders'],
  migrations: ['event-versions'],
  perspectives: ['live'],
  security: ['access', 'tenants'],
  storage: ['databases'],
  'system-events': ['access'],
  transport: ['inbox'],
};

/**
 * Files that start processes, brokers or browsers: a mutant that does not end would leave them behind, and each takes seconds.
 * A process that they start runs the bundled packages, in which there are no mutants.
 */
const external = /node:child_process|playwright|chromium|rabbitMq|startProgram|bundled-program|packageRegistry/;

/** `paths`: the test files. `excluded`: those that are left out, with the reason. */
export function testFilesFor(root, targets, folders = null) {
  const packages = [...new Set(targets.map((target) => target.split('/').slice(0, 2).join('/')))];
  const across = folders ?? [...new Set(targets.flatMap(foldersFor))];
  const found = [...packages.map((one) => `${one}/src`), ...across.map((name) => `tests/${name}`)]
    .flatMap((folder) => filesOf(root, folder))
    .filter((file) => file.endsWith('.test.ts'));
  const isExternal = (file) => external.test(readFileSync(join(root, file), 'utf8'));
  return {
    paths: found.filter((file) => !isExternal(file)),
    excluded: found.filter(isExternal).map((file) => ({ file, reason: 'starts processes, a broker or a browser' })),
  };
}

function foldersFor(target) {
  const [, package_, , folder] = target.split('/');
  if (package_ !== 'core') return ['storage', package_];
  return [folder, ...(related[folder] ?? [])];
}
