import type { FileScan } from './file-scan.js';

/** The interfaces of core that mark a class. */
export const markers: readonly string[] = [
  'Command',
  'Event',
  'SystemEvent',
  'Receptor',
  'Decider',
  'Perspective',
  'Reaction',
  'Process',
];

/**
 * The files that may contain a message, an endpoint, a receptor, a decider, a perspective, a reaction or a process. Decided by names alone,
 * through sub-interfaces, base classes and renames: it may include too many files, never too few. Other files are read only if one of these imports them.
 */
export function findCandidates(scans: ReadonlyMap<string, FileScan>): string[] {
  const names = namesFor([...markers, ...customEndpoints(scans)], scans);
  const decorators = [
    'commandEndpoint',
    'perspective',
    'recurring',
    'snapshot',
    'reaction',
    'process',
    'lenient',
    'storedAs',
  ];
  const functions = namesFor(decorators, scans);
  return [...scans]
    .filter(([file]) => !file.endsWith('.d.ts'))
    .filter(
      ([, scan]) =>
        scan.importsGeneratedEndpoint ||
        [...scan.calls].some((name) => functions.has(name)) ||
        scan.declarations.some(({ isClass, mentions }) => isClass && mentions.some((name) => names.has(name))),
    )
    .map(([file]) => file)
    .toSorted();
}

/** Classes that may extend a generated endpoint. Abstract ones are extended again elsewhere. */
function customEndpoints(scans: ReadonlyMap<string, FileScan>): string[] {
  return [...scans.values()]
    .filter((scan) => scan.importsGeneratedEndpoint)
    .flatMap((scan) => scan.declarations.filter(({ isClass, mentions }) => isClass && mentions.length > 0))
    .map(({ name }) => name);
}

/** All names that can refer to one of `names`, or to something derived from it. */
function namesFor(names: readonly string[], scans: ReadonlyMap<string, FileScan>): ReadonlySet<string> {
  const derived = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const known = derived.get(from);
    if (known === undefined) derived.set(from, [to]);
    else known.push(to);
  };
  for (const { declarations, renames } of scans.values()) {
    for (const { name, mentions } of declarations) for (const mention of mentions) add(mention, name);
    for (const { from, to } of renames) add(from, to);
  }
  const found = new Set(names);
  // Iterating a Set also visits members added on the way.
  for (const name of found) for (const next of derived.get(name) ?? []) found.add(next);
  return found;
}
