/** The tests of a file by name, found in its source: which there are, and which of them run. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childrenOf, parseTypeScript, type SyntaxNode } from '../syntax.js';

export interface NamedTest {
  /** The titles of what it is in, then its own. What is only known when it runs is a group. */
  readonly titles: readonly RegExp[];
  /** Whether it does not run, or only under a condition. */
  readonly isSkipped: boolean;
}

/** A test file together with the files of tests that it imports. */
export interface TestSource {
  readonly tests: readonly NamedTest[];
  /** Whether a text that is filled into a title occurs in the sources: as a text, a name or a number. */
  readonly mentions: (text: string) => boolean;
}

const sources = new Map<string, TestSource>();

/** Null when there is no such file. */
export function testSource(root: string, path: string): TestSource | null {
  const file = join(root, path);
  const known = sources.get(file);
  if (known !== undefined || !existsSync(file)) return known ?? null;
  const source = sourceOf(withImports(root, path));
  sources.set(file, source);
  return source;
}

function sourceOf(files: readonly ParsedFile[]): TestSource {
  const texts = new Set(files.flatMap((file) => [...file.texts]));
  const templates = files.flatMap((file) => file.templates);
  return {
    tests: files.flatMap((file) => file.tests),
    mentions: (text) => texts.has(text) || templates.some((template) => template.test(text)),
  };
}

/** The tests that a name such as `what it is in > what it does` stands for: the titles around it may be left out. */
export function testsOfName({ tests, mentions }: TestSource, name: string): readonly NamedTest[] {
  const wanted = name.split(' > ');
  return tests.filter(({ titles }) => {
    const last = titles.slice(-wanted.length);
    if (last.length < wanted.length) return false;
    return last.every((title, i) => {
      const match = title.exec(wanted[i]!);
      return match !== null && match.slice(1).every(mentions);
    });
  });
}

interface ParsedFile {
  readonly tests: readonly NamedTest[];
  readonly texts: ReadonlySet<string>;
  readonly templates: readonly RegExp[];
  readonly imports: readonly string[];
}

const parsed = new Map<string, ParsedFile>();

function withImports(root: string, path: string, seen = new Set<string>()): ParsedFile[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const file = parsed.get(join(root, path)) ?? parsedFile(readFileSync(join(root, path), 'utf8'));
  parsed.set(join(root, path), file);
  const imported = file.imports.map((specifier) => pathOf(path, specifier)).filter((found) => found !== null);
  return [file, ...imported.flatMap((found) => withImports(root, found, seen))];
}

/** Where tests are shared: in `tests` and in the `testing` folders of packages. Other sources hold none. */
function pathOf(importer: string, specifier: string): string | null {
  if (specifier === '@svc/core/testing') return 'packages/core/src/testing/index.ts';
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return null;
  const path = join(dirname(importer), specifier).replace(/\.js$/, '.ts');
  return path.startsWith('tests/') || path.includes('/testing/') ? path : null;
}

function parsedFile(source: string): ParsedFile {
  const program = parseTypeScript(source);
  const texts = new Set<string>();
  const templates: RegExp[] = [];
  const imports: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const { source: from } = node as SyntaxNode & { source?: SyntaxNode | null };
    if (/^(?:Import|Export)\w*Declaration$/.test(node.type) && from) imports.push(String(from['value']));
    if (/^(?:String|Numeric|Boolean)Literal$/.test(node.type)) texts.add(String(node['value']));
    if (node.type === 'NullLiteral') texts.add('null');
    if (node.type === 'Identifier') texts.add(String(node['name']));
    // One without a text of its own would stand for anything.
    if (node.type === 'TemplateLiteral' && textOf(node).some((text) => text.trim() !== ''))
      templates.push(titleOf(node, false));
    // A title is the name of its test alone, not what another title is filled with.
    const [title] = isTest(node) ? (node['arguments'] as readonly SyntaxNode[]) : [];
    for (const child of childrenOf(node)) if (child !== title || !isText(child)) visit(child);
  };
  visit(program);
  return { tests: testsIn(program, { titles: [], isSkipped: false }), texts, templates, imports };
}

/** `it`, `describe.skip`, `it.runIf(…)`, `it.each(…)`: what is called, and the names behind it. */
function calledNames(callee: SyntaxNode): readonly string[] {
  if (callee.type === 'Identifier') return [String(callee['name'])];
  if (callee.type === 'CallExpression') return calledNames(callee['callee'] as SyntaxNode);
  if (callee.type !== 'MemberExpression') return [];
  const { object, property } = callee as SyntaxNode & Record<'object' | 'property', SyntaxNode>;
  return [...calledNames(object), String(property['name'])];
}

function isTest(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const [called = ''] = calledNames(node['callee'] as SyntaxNode);
  return ['it', 'test', 'describe'].includes(called);
}

const skipping = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails']);

function testsIn(node: SyntaxNode, outer: NamedTest): NamedTest[] {
  if (!isTest(node)) return childrenOf(node).flatMap((child) => testsIn(child, outer));
  const names = calledNames(node['callee'] as SyntaxNode);
  const [title, ...rest] = node['arguments'] as readonly SyntaxNode[];
  if (title === undefined) return [];
  const isGroup = names[0] === 'describe';
  const found: NamedTest = {
    titles: [...outer.titles, titleOf(title, names.includes('each'))],
    isSkipped: outer.isSkipped || names.some((name) => skipping.has(name)) || rest.some((part) => skips(part, isGroup)),
  };
  return isGroup ? rest.flatMap((part) => testsIn(part, found)) : [found];
}

/** `{ skip: true }` behind the title; in a test also `context.skip()`. */
function skips(node: SyntaxNode, isGroup: boolean): boolean {
  if (node.type === 'ObjectExpression') {
    const properties = node['properties'] as readonly (SyntaxNode & { key?: SyntaxNode })[];
    return properties.some(({ key }) => skipping.has(String(key?.['name'])));
  }
  return !isGroup && calls(node, 'skip');
}

function calls(node: SyntaxNode, name: string): boolean {
  if (node.type === 'CallExpression' && calledNames(node['callee'] as SyntaxNode).at(-1) === name) return true;
  return childrenOf(node).some((child) => calls(child, name));
}

/** A title as what it can become. With `each`, `%s` and `$name` are filled in as well. */
function titleOf(node: SyntaxNode, isFilled: boolean): RegExp {
  const parts = textOf(node).flatMap((text) => (isFilled ? text.split(/%[a-z#]|\$[\w.]+/) : [text]));
  return new RegExp(`^${parts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('(.*)')}$`, 's');
}

function isText({ type }: SyntaxNode): boolean {
  return type === 'StringLiteral' || type === 'TemplateLiteral';
}

/** The texts between what is only known when it runs. */
function textOf(node: SyntaxNode): string[] {
  if (node.type === 'StringLiteral') return [String(node['value'])];
  if (node.type !== 'TemplateLiteral') return ['', ''];
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked);
}
