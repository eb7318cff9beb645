/** Notes how long commands took, and how they ended. */
export interface CommandObserver {
  succeeded(ms: number): void;
  failed(ms: number, error: unknown): void;
}

/** Runs a command for an observer. */
export function observed<T>(observer: CommandObserver, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  return run().then(
    (result) => {
      observer.succeeded(performance.now() - started);
      return result;
    },
    (error: unknown) => {
      observer.failed(performance.now() - started, error);
      throw error;
    },
  );
}
