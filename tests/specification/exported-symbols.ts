/** What packages export, found in their sources: names, and the members of what they name. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childrenOf, parseTypeScript, type SyntaxNode } from '../syntax.js';

/** Whether `symbol`, a name or `name.member`, is exported by a package such as `core` or `core/json`. */
export function isExported(root: string, packagePath: string, symbol: string): boolean {
  const [packageName = '', ...folders] = packagePath.split('/');
  const index = join(root, 'packages', packageName, 'src', ...folders, 'index.ts');
  const [name = '', member] = symbol.split('.');
  const declarations = existsSync(index) ? declarationsOf(index, name) : [];
  if (member === undefined) return declarations.length > 0;
  return declarations.some((declaration) => membersOf(declaration).includes(member));
}

const programs = new Map<string, SyntaxNode>();

function programOf(file: string): SyntaxNode {
  const program = programs.get(file) ?? parseTypeScript(readFileSync(file, 'utf8'));
  programs.set(file, program);
  return program;
}

function statementsOf(file: string, type: string): readonly SyntaxNode[] {
  return (programOf(file)['body'] as readonly SyntaxNode[]).filter((statement) => statement.type === type);
}

/** What a name stands for, and the file that says so. */
interface Declaration {
  readonly node: SyntaxNode;
  readonly file: string;
}

/** What a module exports under a name: a value, a type, or both. */
function declarationsOf(file: string, name: string): readonly Declaration[] {
  return statementsOf(file, 'ExportNamedDeclaration').flatMap((statement) => {
    const { declaration, source, specifiers } = statement as unknown as ExportStatement;
    if (source === null) {
      const nodes = declaration === null ? [] : declaredIn(declaration);
      return nodes.filter((node) => nameOf(node) === name).map((node) => ({ node, file }));
    }
    return specifiers
      .filter(({ exported }) => exported.name === name)
      .flatMap(({ local }) => declarationsOf(moduleAt(file, source.value), local.name));
  });
}

/** What a module imports under a name from another file of its package. */
function importedAs(file: string, name: string): readonly Declaration[] {
  return statementsOf(file, 'ImportDeclaration').flatMap((statement) => {
    const { source, specifiers } = statement as unknown as ImportStatement;
    if (!source.value.startsWith('.')) return [];
    return specifiers
      .filter(({ local }) => local.name === name)
      .flatMap(({ imported }) => declarationsOf(moduleAt(file, source.value), imported?.name ?? name));
  });
}

function moduleAt(file: string, specifier: string): string {
  return join(dirname(file), specifier.replace(/\.js$/, '.ts'));
}

interface ImportStatement {
  readonly source: { readonly value: string };
  readonly specifiers: readonly { readonly local: { name: string }; readonly imported?: { name: string } }[];
}

interface ExportStatement {
  readonly declaration: SyntaxNode | null;
  readonly source: { readonly value: string } | null;
  readonly specifiers: readonly { readonly local: { name: string }; readonly exported: { name: string } }[];
}

function declaredIn(declaration: SyntaxNode): readonly SyntaxNode[] {
  return declaration.type === 'VariableDeclaration'
    ? (declaration['declarations'] as readonly SyntaxNode[])
    : [declaration];
}

function nameOf(node: SyntaxNode): string {
  return String((node['id'] as SyntaxNode | null)?.['name']);
}

/** The names that the body of a class or interface, or an object, has on its first level; for a class also those of its bases. */
function membersOf({ node, file }: Declaration): readonly string[] {
  const body = (node['body'] ?? node['init']) as SyntaxNode | undefined;
  if (body === undefined) return [];
  const value = body.type === 'TSAsExpression' ? (body['expression'] as SyntaxNode) : body;
  const own = childrenOf(value).map((member) => String((member['key'] as SyntaxNode | undefined)?.['name']));
  const base = node['superClass'] as SyntaxNode | null | undefined;
  return base?.type === 'Identifier' ? [...own, ...importedAs(file, String(base['name'])).flatMap(membersOf)] : own;
}
