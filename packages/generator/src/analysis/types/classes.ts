import { ts } from '../compiler.js';

/** How an instance of a class is constructed. */
export interface Construction {
  /** Names of the parameter properties, if the constructor has only those. */
  readonly properties: readonly string[];
  readonly withoutArguments: boolean;
  /** Why it cannot be constructed from its properties, and where; null if it can. */
  readonly obstacle: { readonly reason: string; readonly node: ts.Node } | null;
}

export function constructionOf(symbol: ts.Symbol, checker: ts.TypeChecker): Construction {
  const signatures = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  const constructors = signatures.map(({ declaration }) => declaration).filter((node) => node !== undefined);
  const hidden = constructors.find((node) => (ts.getCombinedModifierFlags(node as ts.Declaration) & notPublic) !== 0);
  if (hidden !== undefined) return obstructed('its constructor is not public', hidden);
  const lists = signatures.map((signature) => parametersOf(signature));
  const withoutArguments = lists.some((parameters) => parameters.every(isOptionalParameter));
  const only = lists.length === 1 ? lists[0]! : [];
  if (only.length > 0 && only.every((node) => ts.isParameterPropertyDeclaration(node, node.parent))) {
    return { properties: only.map(({ name }) => name.getText()), withoutArguments, obstacle: null };
  }
  if (withoutArguments) return { properties: [], withoutArguments, obstacle: null };
  const parameter = lists.flat().find((node) => !isOptionalParameter(node))!;
  return obstructed(`its constructor needs ${parameter.name.getText()}, which is not a property`, parameter);
}

/** The parameters with which a signature was declared. */
export function parametersOf(signature: ts.Signature): ts.ParameterDeclaration[] {
  return signature.parameters
    .map(({ valueDeclaration }) => valueDeclaration)
    .filter((node) => node !== undefined && ts.isParameter(node));
}

export function isOptionalParameter(node: ts.ParameterDeclaration): boolean {
  return node.questionToken !== undefined || node.initializer !== undefined || node.dotDotDotToken !== undefined;
}

export function isAbstract(node: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
}

const notPublic = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

function obstructed(reason: string, node: ts.Node): Construction {
  return { properties: [], withoutArguments: false, obstacle: { reason, node } };
}
