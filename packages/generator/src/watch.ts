import { watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { Project } from './analysis/index.js';
import { mayHaveDocuments } from './documents/index.js';

/** Editors save a file in several steps. Events within this many milliseconds are one change. */
const settleTime = 30;

/** Watches sources until it is closed. */
export interface Watcher {
  close(): void;
}

/** Absolute paths of the changed sources of the service; undefined if the caller must find out what changed. */
export type SourceChanges = ReadonlySet<string> | undefined;

/** Calls back when TypeScript sources of a service or GraphQL documents of its callers change, except generated files. */
export function watchProject(
  { sourceRoot, client, documents }: Project,
  onChange: (changes: SourceChanges) => void,
): Watcher {
  let changed = new Set<string>();
  let isComplete = true;
  let timer: NodeJS.Timeout | undefined;

  const settle = (): void => {
    const changes = isComplete ? changed : undefined;
    changed = new Set();
    isComplete = true;
    onChange(changes);
  };
  const settleSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(settle, settleTime);
  };
  const sources = watch(sourceRoot, { recursive: true }, (_event, name) => {
    if (name?.split(sep).includes('generated')) return;
    if (name?.endsWith('.ts')) changed.add(join(sourceRoot, name));
    // For an added, removed or moved folder, its files may not be reported one by one.
    else isComplete = false;
    settleSoon();
  });
  const written = new Set([client, documents?.file]);
  const others = (documents?.folders ?? []).map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      const file = name === null ? null : join(folder, name);
      // A name without an extension is a folder.
      if (file === null || (!written.has(file) && (mayHaveDocuments(file) || !name!.includes('.')))) settleSoon();
    }),
  );
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of [sources, ...others]) watcher.close();
    },
  };
}
