/** The path of the page with the table. */
export const page: string;
/** The table in Markdown, not aligned. */
export function countedTable(): string;
export function withCountedTable(text: string): string;
