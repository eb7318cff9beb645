import type { ConstructorParameter } from '../model/index.js';
import { ts } from './compiler.js';
import type { ModuleContext } from './module-context.js';
import { isOptionalParameter, withoutNothing } from './types/index.js';

/** The parameters of a constructor. Services are resolved by parameter name, so each must have one. */
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
    return [{ name: node.name.text, kind: kindOf(node, context), optional: isOptionalParameter(node) }];
  });
}

export function isDispatcher(node: ts.ParameterDeclaration, context: ModuleContext): boolean {
  return kindOf(node, context) === 'dispatcher';
}

function kindOf(node: ts.ParameterDeclaration, context: ModuleContext): ConstructorParameter['kind'] {
  const { dispatcher, emitter } = context.compilation.core;
  const symbol = node.type === undefined ? undefined : symbolOf(node.type, context);
  if (symbol === dispatcher) return 'dispatcher';
  return symbol === emitter ? 'emitter' : 'service';
}

function symbolOf(type: ts.TypeNode, { compilation, checker }: ModuleContext): ts.Symbol | undefined {
  const { dispatcher, emitter } = compilation.core;
  const named = ts.isTypeReferenceNode(type) ? compilation.symbolAt(type.typeName) : undefined;
  if (named === dispatcher || named === emitter) return named;
  // An alias, or a union with undefined: the resolved type decides. An inline type is never a service of the host.
  if (!ts.isTypeReferenceNode(type) && !ts.isUnionTypeNode(type)) return undefined;
  return withoutNothing(checker.getTypeFromTypeNode(type), compilation).symbol;
}

/** Reports a constructor that only the class itself may call. */
export function checkPublic(constructor: ts.Node | undefined, owner: string, context: ModuleContext): void {
  if (constructor === undefined || !ts.isConstructorDeclaration(constructor)) return;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if ((ts.getCombinedModifierFlags(constructor) & hidden) !== 0) context.report(constructor, 'SVC1118', owner);
}
