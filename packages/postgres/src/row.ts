/** Columns as text. */
export type Row = Readonly<Record<string, string | null>>;
