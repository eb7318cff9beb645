/** TypeScript sources as trees, for tests that hold sources to something. */
import { parse } from '@babel/parser';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function parseTypeScript(source: string): SyntaxNode {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript', 'decorators'] });
  return program as unknown as SyntaxNode;
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
