import { ts } from './compiler.js';
import type { ReceptorFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, readParameters } from './parameters.js';
import { isAbstract, isOpen, parametersOf, qualifiedName, typeText } from './types/index.js';

/** The commands of a class: one for each `Receptor<…>` it implements. */
export function readReceptors(node: ts.ClassLikeDeclaration, context: ModuleContext): ReceptorFact[] {
  if (isAbstract(node)) return [];
  const { compilation, checker } = context;
  const found = context.program.heritage.argumentsOf(node, compilation.core.receptor);
  if (found.length === 0) return [];
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  if (compilation.exportNameOf(symbol) !== name) context.report(place, 'SVC1204', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const parameters = signature === undefined ? [] : readParameters(parametersOf(signature), name, context);
  return found.flatMap(([command, result = checker.getVoidType()]) => {
    if (command === undefined || isOpen(command, checker) || isOpen(result, checker)) {
      context.report(place, 'SVC1205', name);
      return [];
    }
    const commandName = typeText(command, compilation);
    checkResult(command.symbol, result, commandName, place, name, context);
    return [
      {
        name,
        module: context.module,
        commandId: command.symbol === undefined ? commandName : qualifiedName(command.symbol, compilation),
        commandName,
        result: context.readResult(result, `The result of ${commandName}`, place),
        parameters,
        at: compilation.locationOf(place),
      },
    ];
  });
}

/** An endpoint declares a result to its callers; the receptor must return it. */
function checkResult(
  command: ts.Symbol | undefined,
  result: ts.Type,
  commandName: string,
  place: ts.Node,
  name: string,
  context: ModuleContext,
): void {
  const { program, compilation, checker } = context;
  const [, declared] = command === undefined ? [] : (program.endpointCalls.of(command)?.call.typeArguments ?? []);
  const promised = declared === undefined ? undefined : checker.getTypeFromTypeNode(declared);
  if (promised === undefined || promised === result) return;
  if (checker.isTypeAssignableTo(promised, result) && checker.isTypeAssignableTo(result, promised)) return;
  context.report(place, 'SVC1203', name, typeText(result, compilation), commandName, typeText(promised, compilation));
}
