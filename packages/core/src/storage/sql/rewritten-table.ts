/** The names of the tables that a rewrite of a table creates. */

/** The table that will replace it. */
export const nextTable = (table: string): string => `${table}__next`;

/** The table that it has replaced. */
export const backupTable = (table: string): string => `${table}__backup`;
