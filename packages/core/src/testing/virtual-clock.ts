const realDate = Date;
let last: Promise<unknown> = Promise.resolve();

/** Runs an action while `Date` shows a fixed time. Actions run one after the other, because the clock is that of the process. */
export function atTime<T>(time: Date, action: () => Promise<T>): Promise<T> {
  const run = async (): Promise<T> => {
    const before = globalThis.Date;
    globalThis.Date = dateAt(time.getTime());
    try {
      return await action();
    } finally {
      globalThis.Date = before;
    }
  };
  const result = last.then(run, run);
  last = result.catch(() => {});
  return result;
}

/** `Date` with another current time. Its instances are ordinary dates. */
function dateAt(time: number): DateConstructor {
  return new Proxy(realDate, {
    construct: (target, args: []) => (args.length === 0 ? new target(time) : new target(...args)),
    apply: (target) => new target(time).toString(),
    get: (target, name) => (name === 'now' ? () => time : (Reflect.get(target, name) as unknown)),
  });
}
