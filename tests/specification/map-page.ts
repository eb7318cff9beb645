/** The specification map as data, and what is wrong with it. */
import { isExported } from './exported-symbols.js';
import { testSource, testsOfName } from './named-tests.js';

export interface MapRow {
  readonly section: string;
  readonly wording: string;
  /** Names of `core`, or of the package that is named behind them. */
  readonly symbols: readonly { readonly name: string; readonly packagePath: string }[];
  readonly proofs: readonly { readonly file: string; readonly test: string }[];
}

/**
 * The rows of the page, table by table. A row is `| wording | symbols | proofs |`: a symbol is `name`, or `name` of `@svc/package`; a proof is
 * [file] `test`, with the file defined at the end of the page.
 */
export function rowsOf(page: string): readonly MapRow[] {
  const files = new Map(
    [...page.matchAll(/^\[([\w-]+)\]: \.\.\/\.\.\/(\S+)$/gm)].map(([, name, path]) => [name!, path!]),
  );
  let section = '';
  return page.split('\n').flatMap((line): MapRow[] => {
    section = /^##+ (.+)$/.exec(line)?.[1] ?? section;
    const [, wording = '', symbols = '', proofs = ''] = /^\| (.+?) \| (.*?) ?\| (.*?) ?\|$/.exec(line) ?? [];
    if (wording === '' || wording === 'Specification' || wording.startsWith('-')) return [];
    return [
      {
        section,
        wording,
        symbols: [...symbols.matchAll(/`([\w.]+)`(?: of `@svc\/([\w/]+)`)?/g)].map(([, name = '', packagePath]) => ({
          name,
          packagePath: packagePath ?? 'core',
        })),
        proofs: [...proofs.matchAll(/\[([\w-]+)\] `([^`]+)`/g)].map(([, file = '', test = '']) => ({
          file: files.get(file) ?? `[${file}]`,
          test,
        })),
      },
    ];
  });
}

/** What is wrong with the rows of a page, each with the row that it is wrong with. */
export function faultsOf(root: string, page: string): readonly string[] {
  return rowsOf(page).flatMap(({ section, wording, symbols, proofs }) => {
    const faults = [
      ...(symbols.length === 0 ? ['names no symbol'] : []),
      ...symbols
        .filter(({ name, packagePath }) => !isExported(root, packagePath, name))
        .map(({ name, packagePath }) => `${name} is not exported by @svc/${packagePath}`),
      ...(proofs.length === 0 ? ['has no proof'] : []),
      ...proofs.flatMap(({ file, test }) => faultOfProof(root, file, test)),
    ];
    return faults.map((fault) => `${section}: ${wording}: ${fault}`);
  });
}

function faultOfProof(root: string, file: string, test: string): readonly string[] {
  const source = testSource(root, file);
  if (source === null || !file.endsWith('.test.ts')) return [`${file} is not a test file`];
  const tests = testsOfName(source, test);
  if (tests.length === 0) return [`${file} has no test "${test}"`];
  // One that runs is enough: others of its name may be for what only some machines have.
  return tests.every(({ isSkipped }) => isSkipped) ? [`"${test}" of ${file} is skipped`] : [];
}
