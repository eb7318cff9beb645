import type { ConstructorParameter } from '../model/index.js';
import { ts } from './compiler.js';
import type { ModuleContext } from './module-context.js';
import { isOptionalParameter, withoutNothing } from './types/index.js';

/** What a constructor asks for. Services are found by the names of its parameters, so each must have one. */
export function readParameters(
  nodes: readonly ts.ParameterDeclaration[],
  owner: string,
  context: ModuleContext,
): ConstructorParameter[] {
  return nodes.flatMap((node) => {
    if (!ts.isIdentifier(node.name) || node.dotDotDotToken !== undefined) {
      const text = node.dotDotDotToken === undefined ? 'a parameter without a name' : 'a rest parameter';
      context.report(node, 'SVC1117', owner, text);
      return [];
    }
    const kind = isDispatcher(node, context) ? 'dispatcher' : 'service';
    return [{ name: node.name.text, kind, optional: isOptionalParameter(node) } as const];
  });
}

export function isDispatcher(node: ts.ParameterDeclaration, { compilation, checker }: ModuleContext): boolean {
  const { dispatcher } = compilation.core;
  if (node.type === undefined) return false;
  if (ts.isTypeReferenceNode(node.type) && compilation.symbolAt(node.type.typeName) === dispatcher) return true;
  // An alias, or a union with undefined: the type tells. A type written out on the spot is no dispatcher.
  if (!ts.isTypeReferenceNode(node.type) && !ts.isUnionTypeNode(node.type)) return false;
  return withoutNothing(checker.getTypeFromTypeNode(node.type), compilation).symbol === dispatcher;
}

/** Reports a constructor that only the class itself may call. */
export function checkPublic(constructor: ts.Node | undefined, owner: string, context: ModuleContext): void {
  if (constructor === undefined || !ts.isConstructorDeclaration(constructor)) return;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if ((ts.getCombinedModifierFlags(constructor) & hidden) !== 0) context.report(constructor, 'SVC1118', owner);
}
