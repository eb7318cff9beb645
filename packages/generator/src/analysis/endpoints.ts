import { ts } from './compiler.js';
import type { DecoratorCall } from './decorator-calls.js';
import { readOptions, readText, type OptionText, type OptionValue } from './decorator-options.js';
import type { EndpointFact, ResultFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { fieldFault, routeFault } from './routes.js';
import { declaredName, descriptionOf, isAbstract, qualifiedName, typeText } from './types/index.js';

/** The endpoints that a module's uses of `commandEndpoint` declare. */
export function readEndpoints(context: ModuleContext): EndpointFact[] {
  const seen = new Set<ts.Symbol>();
  return context.program.endpointCalls.in(context.file).flatMap((use) => {
    const command = checkTarget(use, context);
    if (command === null) return [];
    if (seen.has(command)) {
      context.report(use.call, 'SVC1115', use.targetName);
      return [];
    }
    seen.add(command);
    const endpoint = readEndpoint(use, command, context);
    return endpoint === null ? [] : [endpoint];
  });
}

/** The command of a use; null, with a report, if that is not a command of this module. */
function checkTarget({ call, target, targetName }: DecoratorCall, context: ModuleContext): ts.Symbol | null {
  const node = target?.valueDeclaration;
  if (target === undefined || node === undefined || !ts.isClassLike(node)) {
    context.report(call, 'SVC1103', targetName, 'is not a class');
    return null;
  }
  if (node.getSourceFile() !== context.file) {
    context.report(call, 'SVC1116', targetName);
    return null;
  }
  const isCommand = context.program.heritage.kindsOf(target).has('command');
  if (isCommand && !isAbstract(node)) return target;
  context.report(call, 'SVC1103', targetName, isCommand ? 'is abstract' : 'does not implement Command');
  return null;
}

function readEndpoint(
  { call, targetName }: DecoratorCall,
  command: ts.Symbol,
  context: ModuleContext,
): EndpointFact | null {
  const { compilation, checker } = context;
  const result = readTypeArguments(call, command, targetName, context);
  const options = readOptions(call, checker);
  const textOf = (option: 'restRoute' | 'graphQLMutation'): OptionText | null =>
    readText(options.get(option), ({ type, node }) =>
      context.report(node, 'SVC1104', option, targetName, typeText(type, compilation)),
    );
  const restRoute = textOf('restRoute');
  const graphQLMutation = textOf('graphQLMutation');
  const request = readRequest(options.get('requestType'), targetName, context);
  checkNames(restRoute, graphQLMutation, targetName, context);
  if (restRoute === null && graphQLMutation === null) return null;
  return {
    commandId: qualifiedName(command, compilation),
    restRoute: context.located(restRoute),
    graphQLMutation: context.located(graphQLMutation),
    request,
    result,
    description: descriptionOf(command),
  };
}

function readTypeArguments(
  call: ts.CallExpression,
  command: ts.Symbol,
  name: string,
  context: ModuleContext,
): ResultFact {
  const [given, result] = call.typeArguments ?? [];
  if (given === undefined || result === undefined) {
    context.report(call.expression, 'SVC1101', name);
    return { type: { kind: 'json' }, references: [], secrets: [], erasable: [], findings: [] };
  }
  // A class with the same properties would satisfy the compiler, so the classes are compared.
  if (context.checker.getTypeFromTypeNode(given).symbol !== command) {
    context.report(given, 'SVC1102', given.getText(), name);
  }
  return context.readResult(context.checker.getTypeFromTypeNode(result), `The result of ${name}`, result);
}

function checkNames(
  route: OptionText | null,
  mutation: OptionText | null,
  command: string,
  context: ModuleContext,
): void {
  const wrongRoute = route === null ? null : routeFault(route.value);
  if (route !== null && wrongRoute !== null) context.report(route.node, 'SVC1105', route.value, command, wrongRoute);
  const wrongName = mutation === null ? null : fieldFault(mutation.value);
  if (mutation !== null && wrongName !== null) {
    context.report(mutation.node, 'SVC1106', mutation.value, command, wrongName);
  }
}

function readRequest(
  option: OptionValue | undefined,
  command: string,
  context: ModuleContext,
): EndpointFact['request'] {
  if (option === undefined || (option.type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0) return null;
  const { type, node } = option;
  const { symbol } = type;
  const isClass = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class) !== 0;
  if (!isClass || type.getConstructSignatures().length === 0) {
    context.report(node, 'SVC1109', node.getText(), command);
    return null;
  }
  const name = declaredName(symbol);
  if (context.compilation.exportNameOf(symbol) !== name || context.compilation.moduleOf(symbol) === null) {
    context.report(node, 'SVC1119', name, command);
  }
  const typeId = context.readClass(context.checker.getDeclaredTypeOfSymbol(symbol));
  return { value: { typeId, name }, at: context.compilation.locationOf(node) };
}
