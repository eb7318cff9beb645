import type { TypeModel } from '../model/index.js';
import { readEvents } from './applied-events.js';
import { ts } from './compiler.js';
import type { PerspectiveFact, ResultFact } from './facts.js';
import { readIndexed } from './indexed-properties.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, readParameters } from './parameters.js';
import { readQueries } from './perspective-queries.js';
import { descriptionOf, isAbstract, isOpen, parametersOf, typeText } from './types/index.js';

/** A class that implements `Perspective<…>`; null for any other class. */
export function readPerspective(node: ts.ClassLikeDeclaration, context: ModuleContext): PerspectiveFact | null {
  if (isAbstract(node)) return null;
  const { compilation, checker } = context;
  const found = context.program.heritage.argumentsOf(node, compilation.core.perspective);
  if (found.length === 0) return null;
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  const isExported = compilation.exportNameOf(symbol) === name;
  if (!isExported) context.report(place, 'SVC1601', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const parameters = signature === undefined ? [] : readParameters(parametersOf(signature), name, context);
  const [model, appliedEvents] = found[0]!;
  const isHidden =
    model === undefined || isOpen(model, checker) || (appliedEvents !== undefined && isOpen(appliedEvents, checker));
  if (isHidden || found.length > 1) {
    context.report(place, 'SVC1606', name);
    return null;
  }
  const events = appliedEvents === undefined ? [] : readEvents(appliedEvents, context);
  if (events.length === 0) context.report(place, 'SVC1604', name);
  const modelFact = context.readResult(model, `The model of ${name}`, place);
  if (!isObject(modelFact, context)) context.report(place, 'SVC1602', name, typeText(model, compilation));
  return {
    name,
    module: context.module,
    model: modelFact,
    events,
    columns: readIndexed(symbol, name, modelFact.type, context),
    parameters,
    ...readQueries(symbol, name, context),
    description: descriptionOf(symbol),
    isUsable: isExported,
    at: compilation.locationOf(place),
  };
}

/** Whether a model is written as a JSON object. A model that cannot be read has its own reports. */
function isObject({ type, findings }: ResultFact, { program }: ModuleContext): boolean {
  const draft = type.kind === 'ref' ? program.types.drafts.get(type.id) : undefined;
  if (findings.length > 0 || (draft !== undefined && draft.findings.length > 0)) return true;
  return objectKinds.has((draft?.type ?? type).kind);
}

const objectKinds: ReadonlySet<TypeModel['kind']> = new Set(['object', 'tagged', 'record']);
