import type { JSX } from 'preact';
import { formatted } from './formats.js';

/** How far long work is. Null: the end is not known. */
export function Progress({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
}): JSX.Element {
  if (total === null || total === 0) return <span class="count">{formatted.number(done)}</span>;
  return (
    <span class="progress">
      <progress aria-label={label} max={total} value={Math.min(done, total)} />
      <span class="count">
        {Math.floor((Math.min(done, total) / total) * 100)} % · {formatted.number(done)} of {formatted.number(total)}
      </span>
    </span>
  );
}
