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

/** What a module exports under a name: a value, a type, or both. */
function declarationsOf(file: string, name: string): readonly SyntaxNode[] {
  return (programOf(file)['body'] as readonly SyntaxNode[]).flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration, source, specifiers } = statement as unknown as ExportStatement;
    if (source === null)
      return declaration === null ? [] : declaredIn(declaration).filter((node) => nameOf(node) === name);
    const from = join(dirname(file), source.value.replace(/\.js$/, '.ts'));
    return specifiers
      .filter(({ exported }) => exported.name === name)
      .flatMap(({ local }) => declarationsOf(from, local.name));
  });
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

/** The names that the body of a class or interface, or an object, has on its first level. */
function membersOf(declaration: SyntaxNode): readonly string[] {
  const body = (declaration['body'] ?? declaration['init']) as SyntaxNode | undefined;
  if (body === undefined) return [];
  const value = body.type === 'TSAsExpression' ? (body['expression'] as SyntaxNode) : body;
  return childrenOf(value).map((member) => String((member['key'] as SyntaxNode | undefined)?.['name']));
}
