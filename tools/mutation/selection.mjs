/** Which test files judge a mutant, and in which order. */
import { basename, dirname } from 'node:path';

/** A process that loads the sources again takes about as long. */
const startMs = 2_000;

/**
 * The test files that reach a mutant: those named like its source first, then those of its folder, then the fastest, for at most
 * `seconds` together. One file always runs, however long it takes.
 */
export class Selection {
  #entries;
  #loaded;
  #mostMs;

  constructor(entries, seconds) {
    this.#entries = entries.map(({ tested, ...entry }) => ({ ...entry, tested: new Set(tested) }));
    this.#loaded = new Set(entries.flatMap(({ loaded }) => loaded));
    this.#mostMs = seconds * 1_000;
  }

  /** `isLoaded`: the mutant is only reached while the sources are loaded. No files: no test reaches it. */
  filesFor({ number, file }, mutantsOfFile) {
    const testing = this.#entries.filter(({ tested }) => tested.has(number));
    if (testing.length > 0) return { isLoaded: false, files: this.#first(testing, file, 0) };
    if (!this.#loaded.has(number)) return { isLoaded: false, files: [] };
    // Tests load the sources once: those that use the same source are the ones that can notice.
    const using = this.#entries.filter(({ tested }) => mutantsOfFile.some((one) => tested.has(one.number)));
    return { isLoaded: true, files: this.#first(using.length > 0 ? using : this.#entries, file, startMs) };
  }

  #first(entries, source, extraMs) {
    let left = this.#mostMs;
    return entries
      .map(({ file: test, ms, ignored }) => ({ file: test, ms, ignored, distance: distanceOf(test, source) }))
      .toSorted((a, b) => a.distance - b.distance || a.ms - b.ms)
      .filter(({ ms }, at) => {
        left -= ms + extraMs;
        return at === 0 || left >= 0;
      })
      .map(({ file, ms, ignored }) => ({ file, ms, ignored }));
  }
}

function distanceOf(test, source) {
  if (basename(test, '.test.ts') === basename(source, '.ts')) return 0;
  return dirname(source).startsWith(dirname(test)) ? 1 : 2;
}
