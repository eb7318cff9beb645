/** Whether packages export a name, and whether what it names has a member. */
import { declarationsOf, entryPoints, importedDeclarations, type Declaration } from '../../tools/api/exports.mjs';
import { childrenOf, type SyntaxNode } from '../syntax.js';

/** Whether `symbol`, a name or `name.member`, is exported by an entry point such as `core` or `core/json`. */
export function isExported(root: string, entryPoint: string, symbol: string): boolean {
  const file = entryPoints(root).find(({ specifier }) => specifier === `@svc/${entryPoint}`)?.file;
  const [name = '', member] = symbol.split('.');
  const declarations = file === undefined ? [] : declarationsOf(file, name);
  if (member === undefined) return declarations.length > 0;
  return declarations.some((declaration) => membersOf(declaration).includes(member));
}

/** The names that the body of a class or interface, or an object, has on its first level; for a class also those of its bases. */
function membersOf({ node, file }: Declaration): readonly string[] {
  const { body, init, superClass } = node as Readonly<
    Record<'body' | 'init' | 'superClass', SyntaxNode | null | undefined>
  >;
  const content = body ?? init;
  if (content === undefined || content === null) return [];
  const value = content.type === 'TSAsExpression' ? (content['expression'] as SyntaxNode) : content;
  const own = childrenOf(value).map((member) => String((member['key'] as SyntaxNode | undefined)?.['name']));
  if (superClass?.type !== 'Identifier') return own;
  return [...own, ...importedDeclarations(file, String(superClass['name'])).flatMap(membersOf)];
}
