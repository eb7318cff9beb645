import { hasDocComment, ts } from '../compiler.js';

/** The name a symbol was declared with, qualified by the namespaces and functions around it: `Billing.Address`. */
export function declaredName(symbol: ts.Symbol): string {
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) return symbol.name;
  const names: string[] = [];
  for (let node: ts.Node = declaration; !ts.isSourceFile(node); node = node.parent) {
    const name = ts.getNameOfDeclaration(node as ts.Declaration);
    if (name !== undefined && ts.isIdentifier(name)) names.unshift(name.text);
  }
  return names.length === 0 ? symbol.name : names.join('.');
}

/** The text of the doc comments on a symbol's declarations, without their tags. */
export function descriptionOf({ declarations }: ts.Symbol): string | null {
  // Most symbols have none, and the full query is slow. A parameter's comment is on its constructor.
  const commented = (declarations ?? []).filter((node) => hasDocComment(node) || ts.isParameter(node));
  const texts = commented
    .flatMap((node) => ts.getJSDocCommentsAndTags(node))
    .filter((comment) => ts.isJSDoc(comment) || ts.isJSDocParameterTag(comment))
    .map((comment) => ts.getTextOfJSDocComment(comment.comment)?.trim() ?? '');
  return [...new Set(texts)].filter((text) => text !== '').join('\n\n') || null;
}
