/** The text of docs/reference/api.md. */
export function apiPage(root: string): string;
