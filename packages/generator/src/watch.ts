import { watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Editors save a file in several steps; what happens within this many milliseconds is one change. */
const settleTime = 30;

export interface Watcher {
  close(): void;
}

/** Calls back with the absolute paths of the TypeScript sources that changed below a folder; generated files do not count. */
export function watchSources(sourceRoot: string, onChange: (files: ReadonlySet<string>) => void): Watcher {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(sourceRoot, { recursive: true }, (_event, name) => {
    if (name === null || !name.endsWith('.ts') || name.split(sep).includes('generated')) return;
    changed.add(join(sourceRoot, name));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = changed;
      changed = new Set();
      onChange(files);
    }, settleTime);
  });
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
