import { watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Editors save a file in several steps; what happens within this many milliseconds is one change. */
const settleTime = 30;

export interface Watcher {
  close(): void;
}

/** Absolute paths of the sources that changed; undefined when something changed and the caller has to look for itself. */
export type SourceChanges = ReadonlySet<string> | undefined;

/** Calls back when TypeScript sources below a folder change; generated files do not count. */
export function watchSources(sourceRoot: string, onChange: (changes: SourceChanges) => void): Watcher {
  let changed = new Set<string>();
  let isComplete = true;
  let timer: NodeJS.Timeout | undefined;

  const settle = (): void => {
    const changes = isComplete ? changed : undefined;
    changed = new Set();
    isComplete = true;
    onChange(changes);
  };
  const watcher = watch(sourceRoot, { recursive: true }, (_event, name) => {
    if (name?.split(sep).includes('generated')) return;
    if (name?.endsWith('.ts')) changed.add(join(sourceRoot, name));
    // A folder that comes, goes or moves: what is in it may not be reported file by file.
    else isComplete = false;
    clearTimeout(timer);
    timer = setTimeout(settle, settleTime);
  });
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
