/** Bundles a program into one file, and returns its path. */
export function bundledProgram(entry: URL): Promise<string>;
