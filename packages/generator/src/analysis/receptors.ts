import { ts } from './compiler.js';
import type { ReceptorFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, readParameters } from './parameters.js';
import { isAbstract, parametersOf, qualifiedName, typeText } from './types/index.js';

/** What a class receives: one command for each `Receptor<…>` it implements. */
export function readReceptors(node: ts.ClassLikeDeclaration, context: ModuleContext): ReceptorFact[] {
  if (isAbstract(node)) return [];
  const found = context.program.heritage.receptorArguments(node);
  if (found.length === 0) return [];
  const { compilation, checker } = context;
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  if (compilation.exportNameOf(symbol) !== name) context.report(place, 'SVC1204', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const parameters = signature === undefined ? [] : readParameters(parametersOf(signature), name, context);
  return found.flatMap(([command, result]) => {
    if (command === undefined || result === undefined || isOpen(command, checker) || isOpen(result, checker)) {
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
        result: context.readResult(result, commandName, place),
        parameters,
        at: compilation.locationOf(place),
      },
    ];
  });
}

/** An endpoint promises its callers a result; the receptor must give that one. */
function checkResult(
  command: ts.Symbol | undefined,
  result: ts.Type,
  commandName: string,
  place: ts.Node,
  name: string,
  context: ModuleContext,
): void {
  const { program, compilation, checker } = context;
  const promised = command === undefined ? undefined : program.endpointCalls.resultOf(command);
  if (promised === undefined || promised === result) return;
  if (checker.isTypeAssignableTo(promised, result) && checker.isTypeAssignableTo(result, promised)) return;
  context.report(place, 'SVC1203', name, typeText(result, compilation), commandName, typeText(promised, compilation));
}

/** It still depends on a type parameter of a base class or interface. */
function isOpen(type: ts.Type, checker: ts.TypeChecker): boolean {
  if ((type.flags & ts.TypeFlags.Instantiable) !== 0) return true;
  if (type.isUnionOrIntersection()) return type.types.some((part) => isOpen(part, checker));
  const isReference = (type.flags & ts.TypeFlags.Object) !== 0 && (type as ts.TypeReference).target !== undefined;
  return (
    isReference &&
    checker.getTypeArguments(type as ts.TypeReference).some((part) => part !== type && isOpen(part, checker))
  );
}
