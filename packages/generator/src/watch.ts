import { watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Editors save a file in several steps. Events within this many milliseconds are one change. */
const settleTime = 30;

/** Watches sources until it is closed. */
export interface Watcher {
  close(): void;
}

/** Absolute paths of the changed sources; undefined if the caller must find out what changed. */
export type SourceChanges = ReadonlySet<string> | undefined;

/** Calls back when TypeScript sources below a folder change, except generated files. */
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
    // For an added, removed or moved folder, its files may not be reported one by one.
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
