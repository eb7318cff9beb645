/** The explanation of each code, from the pages of diagnostics and errors. */
export function explanationsOf(
  diagnosticsPage: string,
  errorsPage: string,
): Readonly<Record<string, { readonly title: string; readonly text: string }>>;
