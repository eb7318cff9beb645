export const coreFolders: readonly string[];
export function violation(file: string, specifier: string): string | null;
