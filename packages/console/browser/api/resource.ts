/** What a view shows of the API: the answer, its loading and its failure. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from './problem.js';

export interface Resource<T> {
  /** The last answer; null: there is none yet. */
  readonly value: T | null;
  /** The failure of the last request. The last answer stays. */
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  reload(): void;
}

interface Loaded<T> {
  readonly key: string;
  readonly value: T | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

export interface ResourceOptions {
  /** Loads again after this time, while the page is visible. Default: never. */
  readonly everyMs?: number | null;
}

/** How soon a request to a service that does not answer is repeated. */
const retryMs = 2_000;

/** Loads when the view opens, when `key` changes, and on `reload`. A new key discards the answer to the previous one. */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs = null }: ResourceOptions = {},
): Resource<T> {
  const [state, setState] = useState<Loaded<T>>({ key, value: null, problem: null, isLoading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const ends = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (ms: number): void => {
      timer = setTimeout(() => (document.hidden ? later(ms) : void run()), ms);
    };
    const run = async (): Promise<void> => {
      try {
        const value = await latest.current(ends.signal);
        if (ends.signal.aborted) return;
        setState({ key, value, problem: null, isLoading: false });
        if (everyMs !== null) later(everyMs);
      } catch (error) {
        if (ends.signal.aborted) return;
        const problem =
          error instanceof Problem ? error : new Problem(0, { title: 'The console failed', detail: String(error) });
        setState((last) => ({ key, value: last.key === key ? last.value : null, problem, isLoading: false }));
        if (problem.isTemporary) later(Math.max(retryMs, everyMs ?? 0));
      }
    };
    setState((last) =>
      last.key === key ? { ...last, isLoading: true } : { key, value: null, problem: null, isLoading: true },
    );
    void run();
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }, [key, turn, everyMs]);
  const current = state.key === key ? state : { value: null, problem: null, isLoading: true };
  return {
    value: current.value,
    problem: current.problem,
    isLoading: current.isLoading,
    reload: () => setTurn((last) => last + 1),
  };
}
