import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrument } from './instrument.mjs';
import { mutantsOf } from './mutants.mjs';

const setup = join(import.meta.dirname, 'setup.mjs');

/** Puts the mutants into the sources that Vitest loads. `firsts`: the number of the first mutant of a file, by its path. */
export function mutationPlugin(firsts) {
  return {
    name: 'svc-mutation',
    enforce: 'pre',
    config(config) {
      // Before all others, because they may load the sources.
      config.test.setupFiles = [setup, ...[config.test.setupFiles ?? []].flat()];
    },
    load(id) {
      const first = firsts.get(id);
      return first === undefined ? null : instrument(mutantsOf(readFileSync(id, 'utf8'), id), first);
    },
  };
}
