/** The names of tables that belong to a table that is being rewritten, or was. */

/** The one that takes its place. */
export const nextTable = (table: string): string => `${table}__next`;

/** The one whose place it took. */
export const backupTable = (table: string): string => `${table}__backup`;
