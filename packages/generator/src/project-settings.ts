/** Checks the `svc` settings of a package.json. A setting that svc ignored would change the types of all events. */

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const settings: ReadonlyMap<string, { readonly expected: string; readonly accepts: (value: unknown) => boolean }> =
  new Map([
    ['namespace', { expected: 'a string', accepts: isText }],
    ['source', { expected: 'a string', accepts: isText }],
    ['tsconfig', { expected: 'a string', accepts: isText }],
    ['client', { expected: 'a string', accepts: isText }],
    [
      'documents',
      { expected: 'a string or a list of strings', accepts: (value) => [value].flat().every((item) => isText(item)) },
    ],
  ]);

/** The errors in the value of `"svc"`: a sentence for each unknown name and each value of another type. */
export function settingsFaults(given: unknown): string[] {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [`"svc" in package.json is ${shown(given)}, not an object. Write "svc": { "namespace": "…" }.`];
  }
  return Object.entries(given).flatMap(([name, value]) => {
    const setting = settings.get(name);
    if (setting === undefined) {
      return [`"svc" in package.json has no setting "${name}". ${suggestion(name)}`];
    }
    const { expected, accepts } = setting;
    return accepts(value)
      ? []
      : [`"svc": { "${name}": … } must be ${expected} that is not empty, not ${shown(value)}.`];
  });
}

/** The setting that was probably meant; otherwise all. */
function suggestion(name: string): string {
  const similar = [...settings.keys()].find((known) => isSimilar(name.toLowerCase(), known));
  return similar === undefined ? `Remove it, or use ${[...settings.keys()].join(', ')}.` : `Did you mean "${similar}"?`;
}

/** Whether two names share their beginning and their end, except for two characters at most. */
function isSimilar(given: string, known: string): boolean {
  const longest = Math.max(given.length, known.length);
  let start = 0;
  while (start < longest && given[start] === known[start]) start++;
  let end = 0;
  while (end < longest - start && given.at(-1 - end) === known.at(-1 - end)) end++;
  return longest - start - end <= 2;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 50 ? text : `${text.slice(0, 50)}…`;
}
