import { printableLine } from './printable.js';

/** Lines with columns of equal width. If later rows are not known, a column grows with its longest cell so far. */
export class TableLines {
  readonly #widths: number[] = [];

  /** Makes the columns wide enough for a row. */
  fit(row: readonly string[]): void {
    for (const [column, cell] of row.entries()) {
      this.#widths[column] = Math.max(this.#widths[column] ?? 0, printableLine(cell).length);
    }
  }

  line(row: readonly string[]): string {
    this.fit(row);
    const cells = row.map((cell, column) => printableLine(cell).padEnd(this.#widths[column]!));
    return cells.join('  ').trimEnd();
  }
}

/** Rows with columns of equal width. Foreign texts in cells are safe to print. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = new TableLines();
  for (const row of rows) lines.fit(row);
  return rows.map((row) => lines.line(row)).join('\n');
}
