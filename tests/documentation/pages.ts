import { readdirSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

/** Pages that are not in plain English yet: a name that ends in `/` is a folder. */
export const notRewritten: readonly string[] = ['docs/reference/specification-map.md'];

/** Parts of pages that repeat a text from somewhere else: the text is to be changed there. */
export const quotesOf: Readonly<Record<string, readonly RegExp[]>> = {
  // The subjects of the results, as the benchmarks print them.
  'bench/README.md': [/^\| .+? \| +[\d.,]+ \|.*$/gm, /^\| .+? \| +[≤≥] [\d.]+ \|.*$/gm],
  // The words that a term replaces.
  'docs/reference/glossary.md': [/\|[^|\n]*\|$/gm],
};

const docs = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' });

/** All pages of the documentation. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'examples/orders/README.md',
  ...readdirSync(new URL('packages', root)).map((name) => `packages/${name}/README.md`),
  ...docs.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`),
];
