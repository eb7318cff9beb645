import type { Terminal } from '../terminal.js';

const firstMs = 1_000;

/** Runs a command. If it prints nothing for a second, a live line shows that it is running and for how long. */
export async function withElapsedTime<T>(
  path: string,
  terminal: Terminal,
  work: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  const { live } = terminal;
  if (live === undefined) return await work(terminal);
  const started = performance.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    // Timers can be early by a fraction of a millisecond.
    live(`svc ${path}: ${Math.round((performance.now() - started) / 1_000)} s`);
  }, firstMs);
  /** From its first output on, the command itself shows its progress. */
  const printing =
    (print: (line: string) => void) =>
    (line: string): void => {
      clearInterval(timer);
      isShown = false;
      print(line);
    };
  try {
    const { out, error } = terminal;
    return await work({ ...terminal, out: printing(out), error: printing(error), live: printing(live) });
  } finally {
    clearInterval(timer);
    if (isShown) live('');
  }
}
