import type { ColumnModel, ColumnTypeName, TypeModel } from '../model/index.js';
import { ts } from './compiler.js';
import { readOptions } from './decorator-options.js';
import type { ModuleContext } from './module-context.js';

/** The properties that `@perspective({ indexed: […] })` names, with their types. Reports properties that cannot be indexed. */
export function readIndexed(
  perspective: ts.Symbol,
  name: string,
  model: TypeModel,
  context: ModuleContext,
): ColumnModel[] {
  const call = context.program.perspectiveCalls.of(perspective)?.call;
  const indexed = call === undefined ? undefined : readOptions(call, context.checker).get('indexed');
  if (indexed === undefined) return [];
  const named = namesIn(indexed.node, indexed.type, context.checker);
  if (named === null) {
    context.report(indexed.node, 'SVC1608', name);
    return [];
  }
  const columns = new Map<string, ColumnModel>();
  for (const { text, place } of named) {
    const type = columnTypeOf(model, text, context);
    if (type === null || !plainName.test(text)) context.report(place, 'SVC1607', name, text);
    else if (isPersonal(model, text, context)) context.report(place, 'SVC1043', name, text);
    else columns.set(text, { name: text, type });
  }
  return [...columns.values()];
}

/** `key` is reserved for the key of the model. */
const plainName = /^(?!key$)[A-Za-z_$][\w$]{0,62}$/;

interface NamedProperty {
  readonly text: string;
  readonly place: ts.Node;
}

/** The names, if written out or known from the type of a constant; null if they are uncertain. */
function namesIn(node: ts.Node, type: ts.Type, checker: ts.TypeChecker): NamedProperty[] | null {
  const found: readonly { readonly type: ts.Type; readonly place: ts.Node }[] | null = ts.isArrayLiteralExpression(node)
    ? node.elements.map((element) => ({ type: checker.getTypeAtLocation(element), place: element }))
    : checker.isTupleType(type)
      ? checker.getTypeArguments(type as ts.TypeReference).map((element) => ({ type: element, place: node }))
      : null;
  const names = found?.flatMap(({ type: element, place }) =>
    element.isStringLiteral() ? [{ text: element.value, place }] : [],
  );
  return names === undefined || names.length !== found?.length ? null : names;
}

/** The type of a model's property; null if it does not exist, or is not a single value that can be ordered. */
function columnTypeOf(model: TypeModel, name: string, context: ModuleContext): ColumnTypeName | null {
  const resolved = resolve(model, context);
  const objects = resolved.kind === 'tagged' ? resolved.arms.map((arm) => resolve(arm.type, context)) : [resolved];
  const types = objects
    .flatMap((object) => (object.kind === 'object' ? object.properties : []))
    .filter((property) => property.name === name)
    .map((property) => scalarOf(property.type, context));
  const [first = null] = types;
  return types.every((type) => type === first) ? first : null;
}

function isPersonal(model: TypeModel, name: string, context: ModuleContext): boolean {
  const resolved = resolve(model, context);
  const objects = resolved.kind === 'tagged' ? resolved.arms.map((arm) => resolve(arm.type, context)) : [resolved];
  return objects.some(
    (object) =>
      object.kind === 'object' && object.properties.some((one) => one.name === name && one.personal !== undefined),
  );
}

function scalarOf(type: TypeModel, context: ModuleContext): ColumnTypeName | null {
  switch (type.kind) {
    case 'string':
      return type.format === 'decimal' ? 'decimal' : 'text';
    case 'number':
      return type.integer ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'timestamp';
    case 'literal':
      return literalsOf(type.values);
    case 'nullable':
      return scalarOf(type.type, context);
    case 'ref': {
      const resolved = resolve(type, context);
      return resolved.kind === 'ref' ? null : scalarOf(resolved, context);
    }
    default:
      return null;
  }
}

function literalsOf(values: readonly (string | number | boolean)[]): ColumnTypeName | null {
  if (values.every((value) => typeof value === 'string')) return 'text';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => Number.isSafeInteger(value))) return 'integer';
  return values.every((value) => typeof value === 'number') ? 'number' : null;
}

function resolve(type: TypeModel, { program }: ModuleContext): TypeModel {
  return type.kind === 'ref' ? (program.types.drafts.get(type.id)?.type ?? type) : type;
}
