/**
 * Something with everything that `inner` has, and `changes` in place of some of it. Made once, when a service is wired, so that a
 * call costs no more than one call more; what `inner` lacks stays absent, and what it learns in a later version passes through.
 */
export function around<T extends object>(inner: T, changes: Partial<T>): T {
  const outer: object = Object.create(null);
  for (const name of namesOf(inner)) {
    if (Object.hasOwn(changes, name)) continue;
    const value: unknown = Reflect.get(inner, name);
    const isMethod = typeof value === 'function';
    Object.defineProperty(
      outer,
      name,
      isMethod ? { value: value.bind(inner) as unknown } : { get: () => Reflect.get(inner, name) as unknown },
    );
  }
  return Object.assign(outer, changes) as T;
}

function namesOf(inner: object): ReadonlySet<string | symbol> {
  const names = new Set<string | symbol>();
  for (
    let level: object | null = inner;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const name of Reflect.ownKeys(level)) if (name !== 'constructor') names.add(name);
  }
  return names;
}
