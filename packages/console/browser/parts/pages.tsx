/** Pages of tables that have rarely more than one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** The page that a view shows: its cursor; null: the first page. */
export function usePages(): { readonly after: string | null; readonly show: (after: string | null) => void } {
  const [after, show] = useState<string | null>(null);
  return { after, show };
}

export function NextPage({
  next,
  show,
}: {
  readonly next: string | null;
  readonly show: (after: string | null) => void;
}): JSX.Element | null {
  if (next === null) return null;
  return (
    <div class="actions">
      <button type="button" onClick={() => show(null)}>
        First page
      </button>
      <button type="button" onClick={() => show(next)}>
        Next page
      </button>
    </div>
  );
}
