/** The lines of a source without blank lines and comments. */
export function linesOfCode(source: string): string[];
/** The names that a source imports from packages, each with its package. */
export function importedNames(source: string): string[];
