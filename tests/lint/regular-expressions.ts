/** Finds the regular expressions of a source, and decides whether one can take more than linear time. */
import { check } from 'recheck';
import { childrenOf, parseTypeScript, type SyntaxNode as Node } from '../syntax.js';

/** One regular expression of a source. */
export interface FoundExpression {
  /** As it stands in the source. */
  readonly text: string;
  /** Null when it is built at run time: only a person can say what it becomes. */
  readonly expression: { readonly source: string; readonly flags: string } | null;
}

/** The regular expressions of a TypeScript source: literals, uses of `RegExp`, and texts that `match` and `search` compile. */
export function expressionsIn(source: string): readonly FoundExpression[] {
  const found: FoundExpression[] = [];
  visit(parseTypeScript(source), null);
  return found;

  function visit(node: Node, parent: Node | null): void {
    const expression = expressionOf(node, parent);
    if (expression !== null) found.push(expression);
    for (const child of childrenOf(node)) visit(child, node);
  }

  function expressionOf(node: Node, parent: Node | null): FoundExpression | null {
    if (node.type === 'RegExpLiteral') {
      return { text: textOf(node), expression: { source: String(node['pattern']), flags: String(node['flags']) } };
    }
    if (isCompiledText(node)) return { text: textOf(node), expression: null };
    if (node.type !== 'Identifier' || node['name'] !== 'RegExp' || isHarmless(node, parent)) return null;
    return { text: textOf(parent ?? node), expression: null };
  }

  function textOf({ start, end }: Node): string {
    return source.slice(start, end);
  }
}

/** `text.match('a+')` compiles its argument. */
function isCompiledText(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee, arguments: given } = node as Node & { callee: Node; arguments: readonly Node[] };
  const name = callee.type === 'MemberExpression' ? (callee['property'] as Node)['name'] : undefined;
  const isText = given[0]?.type === 'StringLiteral' || given[0]?.type === 'TemplateLiteral';
  return isText && (name === 'match' || name === 'matchAll' || name === 'search');
}

/** `value instanceof RegExp`, and what is a type or a name of another thing, compile nothing. */
function isHarmless(node: Node, parent: Node | null): boolean {
  if (parent === null) return false;
  if (parent.type.startsWith('TS')) return true;
  if (parent.type === 'BinaryExpression') return parent['operator'] === 'instanceof';
  return parent.type === 'MemberExpression' && parent['property'] === node && parent['computed'] === false;
}

/** An expression that takes longer cannot be decided. */
export const longestCheckMs = 30_000;

/** Null when an expression takes linear time at most; otherwise why it does not, or why that cannot be decided. */
export async function faultOf({ source, flags }: NonNullable<FoundExpression['expression']>): Promise<string | null> {
  // The automata decide. Recheck's fuzzer, its other method, passed the expression that made this check necessary.
  const verdict = await check(source, flags, { checker: 'automaton', timeout: longestCheckMs });
  switch (verdict.status) {
    case 'safe':
      return null;
    case 'vulnerable':
      return `takes ${verdict.complexity.summary} time, for example on ${verdict.attack.pattern}`;
    case 'unknown':
      return `cannot be decided (${'message' in verdict.error ? verdict.error.message : verdict.error.kind})`;
  }
}
