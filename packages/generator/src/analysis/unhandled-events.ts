import type { AppliedEvent } from './applied-events.js';
import { ts } from './compiler.js';
import type { ModuleContext } from './module-context.js';

/** The method `evolve` of a decider: its function, and the node to report. */
export interface Evolve {
  readonly name: ts.Node;
  readonly parameters: readonly ts.ParameterDeclaration[];
  readonly body: ts.Node;
}

/** Null if its source is not available, or if it is not written as a function. */
export function evolveOf(decider: ts.Symbol, { checker }: ModuleContext): Evolve | null {
  const property = checker.getPropertyOfType(checker.getDeclaredTypeOfSymbol(decider), 'evolve');
  const declaration = property?.valueDeclaration;
  if (declaration === undefined) return null;
  if (ts.isMethodDeclaration(declaration)) {
    const { name, parameters, body } = declaration;
    return body === undefined ? null : { name, parameters: [...parameters], body };
  }
  const written = ts.isPropertyDeclaration(declaration) ? declaration.initializer : undefined;
  if (written === undefined || !(ts.isArrowFunction(written) || ts.isFunctionExpression(written))) return null;
  return {
    name: (declaration as ts.PropertyDeclaration).name,
    parameters: [...written.parameters],
    body: written.body,
  };
}

/**
 * The names of the declared events that `evolve` does not handle. It handles an event that its body names, as in `event instanceof OrderPaid`,
 * or whose parameter it uses where it can be that event.
 */
export function unhandledEvents(
  { parameters, body }: Evolve,
  declared: readonly AppliedEvent[],
  context: ModuleContext,
): string[] {
  const { checker } = context;
  const parameter = parameters[1];
  if (parameter === undefined) return [];
  // TypeScript lets a method accept fewer events than its interface.
  const accepted = checker.getTypeAtLocation(parameter);
  const isAccepted = ({ type }: AppliedEvent): boolean => checker.isTypeAssignableTo(type, accepted);
  const isTold = declared.length > 1 && ts.isIdentifier(parameter.name);
  const handled = !isTold ? null : handledTypes(parameter.name, body, declared, context);
  return declared
    .filter((event) => !isAccepted(event) || handled?.has(event.type) === false)
    .map(({ fact }) => fact.name);
}

function handledTypes(
  parameter: ts.Identifier,
  body: ts.Node,
  declared: readonly AppliedEvent[],
  { compilation, checker }: ModuleContext,
): ReadonlySet<ts.Type> {
  const handled = new Set<ts.Type>();
  const event = checker.getSymbolAtLocation(parameter);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = compilation.symbolAt(node);
      for (const { type } of declared) if (type.symbol !== undefined && type.symbol === symbol) handled.add(type);
      if (symbol !== undefined && symbol === event && !isTest(node)) {
        const type = checker.getTypeAtLocation(node);
        for (const one of type.isUnion() ? type.types : [type]) handled.add(one);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return handled;
}

/** Whether an expression only asks which event it is: `event instanceof …`, `event.constructor`. */
function isTest({ parent }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'constructor';
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
}
