/**
 * Wraps an object: `changes` replace some of its members, and all others pass through, also those of a later version. Members that `inner`
 * lacks stay absent. It is created once, when a service is wired, so a call costs one further call.
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
