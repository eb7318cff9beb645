/** Longer keys are truncated in pointers. */
const maximumKeyLength = 100;

/** Longer pointers are truncated: the keys of one path can be as long as the whole text. */
const maximumPointerLength = 1_000;

/** A key as a segment of a JSON Pointer, truncated if it is long. */
export function escapeKey(key: string): string {
  const whole = key.length > maximumKeyLength ? `${key.slice(0, maximumKeyLength)}…` : key;
  const shown = whole.toWellFormed();
  return shown.includes('~') || shown.includes('/') ? shown.replaceAll('~', '~0').replaceAll('/', '~1') : shown;
}

/** A JSON Pointer, truncated if it is long. */
export function truncated(pointer: string): string {
  return pointer.length > maximumPointerLength ? `${pointer.slice(0, maximumPointerLength).toWellFormed()}…` : pointer;
}

/** The JSON Pointer of a path, truncated if it is long. */
export function pointerOf(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const key of path) {
    if (pointer.length > maximumPointerLength) break;
    pointer += typeof key === 'number' ? `/${key}` : `/${escapeKey(key)}`;
  }
  return truncated(pointer);
}
