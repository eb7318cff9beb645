/** A row of docs/reference/interoperability.md. */
export interface Row {
  readonly client: string;
  /** The npm package whose version the page shows. */
  readonly package: string;
  /** What the tests do with it. */
  readonly what: string;
  readonly files: readonly string[];
  /** The beginning of the names of its tests; empty: all tests of the files. */
  readonly suite: string;
  /** Not part of `npm test`. */
  readonly long?: true;
}

export const openApiRequests: number;
export const rows: readonly Row[];
/** Where the packages of long rows are installed. */
export const longFolder: string;
