import { ts } from './compiler.js';

/** The value of one option, as far as its type shows it. */
export interface OptionValue {
  readonly type: ts.Type;
  /** Where diagnostics point to. */
  readonly node: ts.Node;
}

/** The options of a decorator. Literals and constants are read as literal types. */
export function readOptions(call: ts.CallExpression, checker: ts.TypeChecker): ReadonlyMap<string, OptionValue> {
  const found = new Map<string, OptionValue>();
  const argument = call.arguments[0];
  if (argument === undefined) return found;
  const written = withoutWrapping(argument);
  if (!ts.isObjectLiteralExpression(written)) {
    addFromType(found, argument, checker);
    return found;
  }
  for (const property of written.properties) {
    if (ts.isSpreadAssignment(property)) {
      addFromType(found, property.expression, checker);
    } else if (ts.isPropertyAssignment(property)) {
      const node = property.initializer;
      found.set(property.name.getText().replace(/^['"]|['"]$/g, ''), { type: checker.getTypeAtLocation(node), node });
    } else if (ts.isShorthandPropertyAssignment(property)) {
      const symbol = checker.getShorthandAssignmentValueSymbol(property);
      const type = symbol === undefined ? undefined : checker.getTypeOfSymbolAtLocation(symbol, property);
      if (type !== undefined) found.set(property.name.text, { type, node: property.name });
    }
  }
  return found;
}

/** The text of an option. */
export interface OptionText {
  readonly value: string;
  readonly node: ts.Node;
}

/** Null for an option that is absent, null or empty. Also for one whose text is unknown, after `reportUnknown`. */
export function readText(
  found: OptionValue | undefined,
  reportUnknown: (option: OptionValue) => void,
): OptionText | null {
  if (found === undefined || (found.type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0) return null;
  const { type, node } = found;
  if (type.isStringLiteral()) return type.value === '' ? null : { value: type.value, node };
  reportUnknown(found);
  return null;
}

function addFromType(found: Map<string, OptionValue>, node: ts.Expression, checker: ts.TypeChecker): void {
  for (const property of checker.getPropertiesOfType(checker.getTypeAtLocation(node))) {
    found.set(property.name, { type: checker.getTypeOfSymbolAtLocation(property, node), node });
  }
}

function withoutWrapping(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? withoutWrapping(node.expression) : node;
}
