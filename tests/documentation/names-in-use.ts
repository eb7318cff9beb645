/** Which names of an entry point have a user outside of its package: an example, a page of the documentation, or another package. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names that are imported from `specifier`, and names that a page mentions in code. */
export function namesInUse(root: string, specifier: string): ReadonlySet<string> {
  const used = new Set(namesInPages(root));
  for (const source of sourcesOutside(root, packageOf(specifier))) {
    for (const name of importedFrom(source, specifier)) used.add(name);
  }
  return used;
}

const texts = new Map<string, string>();
let files: readonly string[] | undefined;

function filesOf(root: string): readonly string[] {
  files ??= execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'packages', 'examples', 'docs', 'README.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => file !== '');
  return files;
}

function textOf(root: string, file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

function packageOf(specifier: string): string {
  return `packages/${specifier.split('/')[1]}/`;
}

function sourcesOutside(root: string, folder: string): readonly string[] {
  return filesOf(root)
    .filter((file) => /\.m?ts$/.test(file) && !file.startsWith(folder) && !isTest(file))
    .map((file) => textOf(root, file));
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/');
}

function importedFrom(source: string, specifier: string): readonly string[] {
  return [...source.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/g)]
    .filter(([, , from]) => from === specifier)
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.replace('type ', '').split(' as ')[0]!.trim());
}

let pageNames: readonly string[] | undefined;

/** In code blocks and inline code; the list of all names is no use of them. */
function namesInPages(root: string): readonly string[] {
  pageNames ??= filesOf(root)
    .filter((file) => /^(?:README\.md|docs\/(?:guides|reference)\/.*\.md)$/.test(file) && !file.endsWith('/api.md'))
    .flatMap((file) => textOf(root, file).match(/```[^]*?```|`[^`\n]+`/g) ?? [])
    .flatMap((code) => code.match(/\b[A-Za-z]\w+\b/g) ?? []);
  return pageNames;
}
