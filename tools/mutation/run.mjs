/** Judges mutants: records which tests reach them, then runs those tests with each mutant. */
import { join } from 'node:path';
import { CoverageMap, slowMs } from './coverage-map.mjs';
import { readEquivalents, reasonFor } from './equivalent.mjs';
import { Selection } from './selection.mjs';
import { highestNumber, numberedMutants, readSources, sampleOf, selected } from './sources.mjs';
import { testFilesFor } from './test-files.mjs';
import { spread } from './workers.mjs';

/**
 * `options`: those of the command line. `onProgress`: called with what is counted, how many are done, and how many there are.
 * Returns the mutants with their status, and the test files that were left out.
 */
export async function mutate(root, options, onProgress = () => {}) {
  const deadline = performance.now() + options.minutes * 60_000;
  const sources = readSources(root);
  const targets = selected(sources, options.targets);
  const byFile = new Map(targets.map((source) => [source.file, numberedMutants(source)]));
  const mutants = [...byFile.values()].flat();
  const chosen = options.sample === null ? mutants : sampleOf(mutants, options.sample, options.seed);
  const opening = { root, config: join(root, 'vitest.config.ts'), highest: highestNumber(sources) };

  const { paths, excluded } = testFilesFor(root, options.targets, options.tests);
  const map = await record();
  const { entries, excluded: unusable } = map.read(paths);
  const statuses = await judge(new Selection(entries, options.seconds));
  return {
    seed: options.sample === null ? null : options.seed,
    mutants: chosen.map((mutant) => ({ ...mutant, ...statuses.get(mutant.number) })),
    testFiles: entries.map(({ file, ms, ignored }) => ({ file, ms, ignored })),
    excluded: [...excluded, ...unusable],
  };

  async function record() {
    const recorded = new CoverageMap(root, sources, options.variant ?? '');
    const missing = recorded.missing(paths);
    let done = 0;
    await spread(options.workers, { ...opening, firsts: firstsOf(root, sources) }, missing, async (worker, file) => {
      recorded.add(file, await worker.call('record', { file: join(root, file), limitMs: slowMs }));
      onProgress('test files recorded', ++done, missing.length);
    });
    return recorded;
  }

  async function judge(selection) {
    const equivalents = options.equivalents ?? readEquivalents();
    const known = new Map();
    const open = [];
    for (const mutant of chosen) {
      const reason = reasonFor(mutant, equivalents);
      const { isLoaded, files } = selection.filesFor(mutant, byFile.get(mutant.file));
      if (reason !== null) known.set(mutant.number, { status: 'equivalent', reason });
      else if (files.length === 0) known.set(mutant.number, { status: 'not covered' });
      else open.push({ mutant: { number: mutant.number, isLoaded }, files });
    }
    let done = 0;
    await spread(
      options.workers,
      { ...opening, firsts: firstsOf(root, targets) },
      open,
      async (worker, { mutant, files }) => {
        if (performance.now() > deadline) return known.set(mutant.number, { status: 'not judged' });
        known.set(
          mutant.number,
          await worker.call('judge', { mutant, files: withLimits(root, files, options.graceMs) }),
        );
        onProgress('mutants judged', ++done, open.length);
      },
    );
    return known;
  }
}

function firstsOf(root, sources) {
  return sources.map(({ file, first }) => [join(root, file), first]);
}

/** A busy machine must not make a slow test a dead mutant. */
function withLimits(root, files, graceMs = 5_000) {
  return files.map(({ file, ms, ignored }) => ({ file: join(root, file), ms, limitMs: graceMs + 4 * ms, ignored }));
}
