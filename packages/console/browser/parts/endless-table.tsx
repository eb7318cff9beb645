/** A table over cursor pages without an end: it loads the next page when the user comes near, and renders only the rows in sight. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.js';
import { Empty, Loading, ProblemNote } from './states.js';
import { Cells, HeaderRow, type Column } from './table.js';
import { formatted } from './formats.js';

export interface Page<T> {
  readonly items: readonly T[];
  /** Null: this is the last page. */
  readonly next: string | null;
}

/** The height of every row, as in tables.css. */
const rowHeight = 32;
/** Rendered above and below the rows in sight, so that fast scrolling shows rows. */
const margin = 20;

interface State<T> {
  readonly rows: readonly T[];
  /** Undefined: nothing has been loaded; null: all rows are here. */
  readonly next: string | null | undefined;
  readonly problem: Problem | null;
}

const nothing = { rows: [], next: undefined, problem: null };

export function EndlessTable<T>({ label, columns, loadKey, load, keyOf, empty }: EndlessTableProps<T>): JSX.Element {
  const [state, setState] = useState<State<T>>(nothing);
  const [range, setRange] = useState({ first: 0, last: 60 });
  const box = useRef<HTMLDivElement>(null);
  const loading = useRef<AbortController | null>(null);

  const loadNext = async (from: State<T>): Promise<void> => {
    if (loading.current !== null || from.next === null) return;
    const ends = new AbortController();
    loading.current = ends;
    try {
      const page = await load(from.next ?? null, ends.signal);
      if (ends.signal.aborted) return;
      setState({ rows: [...from.rows, ...page.items], next: page.next, problem: null });
    } catch (error) {
      if (ends.signal.aborted) return;
      setState({ ...from, problem: error instanceof Problem ? error : new Problem(0, { detail: String(error) }) });
    } finally {
      if (loading.current === ends) loading.current = null;
    }
  };

  useEffect(() => {
    setState(nothing);
    box.current?.scrollTo(0, 0);
    void loadNext(nothing);
    return () => {
      loading.current?.abort();
      loading.current = null;
    };
  }, [loadKey]);

  const look = (): void => {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.ceil((scrollTop + clientHeight) / rowHeight) + margin;
    if (first !== range.first || last !== range.last) setRange({ first, last });
    if (last >= state.rows.length && state.problem === null) void loadNext(state);
  };
  useEffect(() => {
    if (state.next !== undefined) look();
  }, [state]);

  const { rows, next, problem } = state;
  const retry = (): void => {
    setState({ ...state, problem: null });
    void loadNext({ ...state, problem: null });
  };
  if (next === undefined) return problem === null ? <Loading /> : <ProblemNote problem={problem} retry={retry} />;
  if (rows.length === 0 && next === null) return <Empty>{empty}</Empty>;
  const [first, last] = [Math.min(range.first, rows.length), Math.min(range.last, rows.length)];
  return (
    <>
      <div class="scroll endless" role="region" aria-label={label} tabIndex={0} ref={box} onScroll={look}>
        <table aria-rowcount={next === null ? rows.length + 1 : -1}>
          <thead>
            <HeaderRow columns={columns} />
          </thead>
          <tbody>
            <Spacer rows={first} />
            {rows.slice(first, last).map((row, index) => (
              <tr key={keyOf(row)} aria-rowindex={first + index + 2}>
                <Cells columns={columns} row={row} />
              </tr>
            ))}
            <Spacer rows={rows.length - last} />
          </tbody>
        </table>
      </div>
      {problem !== null && <ProblemNote problem={problem} retry={retry} />}
      <p class="table-foot" role="status">
        {next === null
          ? `${formatted.count(rows.length, 'record')}, all that match.`
          : `${formatted.count(rows.length, 'record')} loaded. Scroll for more.`}
      </p>
    </>
  );
}

interface EndlessTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** Another key starts again. */
  readonly loadKey: string;
  /** Loads the page after a cursor; null: the first. */
  readonly load: (after: string | null, signal: AbortSignal) => Promise<Page<T>>;
  readonly keyOf: (row: T) => string;
  readonly empty: ComponentChildren;
}

/** The room of rows that are not rendered. */
function Spacer({ rows }: { readonly rows: number }): JSX.Element | null {
  return rows <= 0 ? null : <tr aria-hidden="true" class="spacer" style={{ height: `${rows * rowHeight}px` }} />;
}
