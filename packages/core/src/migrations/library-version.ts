/** The version of this library and its packages, recorded with every migration. */
export const libraryVersion = '0.1.0';

/** Older than every library: any program may change an item that is recorded with it. */
export const oldestLibrary = '0.0.0';

/** Whether version `a` is newer than `b`. A prerelease (`1.0.0-beta`) is older than its release. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (left.before === '' || right.before === '') return left.before === '' && right.before !== '';
  return left.before > right.before;
}

function partsOf(version: string): { numbers: number[]; before: string } {
  const [release = '', ...before] = version.split('-');
  return { numbers: release.split('.').map((part) => Number.parseInt(part, 10) || 0), before: before.join('-') };
}
