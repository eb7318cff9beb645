import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the tests across packages first and the unit tests last. The former start servers and processes and take up to half a minute, so
 * that one of them at the end would run alone. Within both, Vitest's order: by earlier durations, or in a fresh clone by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const sorted = await super.sort(files);
    const isAcrossPackages = ({ moduleId }: TestSpecification): boolean =>
      relative(this.ctx.config.root, moduleId).startsWith('tests');
    return [...sorted.filter(isAcrossPackages), ...sorted.filter((file) => !isAcrossPackages(file))];
  }
}
