import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 15;

/** After a run of many files, lists those that took longest: where to look when the tests become slow. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2 * shown) return;
    const files = modules.map((module) => ({
      name: relative(module.project.config.root, module.moduleId),
      seconds: module.diagnostic().duration / 1000,
    }));
    const sum = files.reduce((all, { seconds }) => all + seconds, 0);
    console.log(`\nSlowest of ${files.length} files, which took ${sum.toFixed(0)} s together:`);
    for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown)) {
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    }
  }
}
