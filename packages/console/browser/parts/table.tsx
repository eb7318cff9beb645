/** A table of at most some hundred rows. */
import type { ComponentChildren, JSX } from 'preact';
import { Empty } from './states.js';

export interface Column<T> {
  readonly title: string;
  /** Replaces the title in the header. */
  readonly head?: ComponentChildren;
  readonly cell: (row: T) => ComponentChildren;
  /** `number`: aligned right; `fit`: as narrow as its text; `long`: wraps. */
  readonly kind?: 'number' | 'fit' | 'long';
}

export function Table<T>({ label, columns, rows, keyOf, empty }: TableProps<T>): JSX.Element {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <HeaderRow columns={columns} />
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Why there is none. */
  readonly empty: ComponentChildren;
}

export function HeaderRow<T>({ columns }: { readonly columns: readonly Column<T>[] }): JSX.Element {
  return (
    <tr>
      {columns.map(({ title, kind, head = title }) => (
        <th key={title} scope="col" class={kind}>
          {head}
        </th>
      ))}
    </tr>
  );
}

export function Cells<T>({ columns, row }: { readonly columns: readonly Column<T>[]; readonly row: T }): JSX.Element {
  return (
    <>
      {columns.map(({ title, kind, cell }) => (
        <td key={title} class={kind}>
          {cell(row)}
        </td>
      ))}
    </>
  );
}
