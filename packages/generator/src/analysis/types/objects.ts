import type { ObjectType, PropertyModel, TypeModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import { fixForBuiltIn } from './built-ins.js';
import { constraintText, entriesOf, isConstraint, readConstraints } from './constraints.js';
import type { Site } from './draft.js';
import { readItem, readList, readSet, readTuple } from './lists.js';
import { checkSubjects } from './personal.js';
import { readProperties } from './properties.js';
import { unreadable, type TypeReader } from './type-reader.js';
import { isAnonymous, typeText } from './type-text.js';

/** All object types of the checker: lists, sets, dates, records, and objects with properties. */
export function readObject(type: ts.Type, reader: TypeReader, site: Site): TypeModel {
  const { compilation } = reader;
  const { checker } = compilation;
  if (checker.isArrayType(type)) return readList(type as ts.TypeReference, reader, site);
  if (checker.isTupleType(type)) return readTuple(type as ts.TypeReference, reader, site);
  if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0 || isConstructor(type, checker)) {
    site.scope.report(site, 'SVC1006', site.where);
    return unreadable;
  }
  const builtIn = builtInOf(type, compilation);
  if (builtIn !== null) return readBuiltIn(type, builtIn, reader, site);
  if (isConstraint(type, compilation)) {
    const [first] = entriesOf(readConstraints([type], compilation, null));
    const text = first === undefined ? 'constraint' : constraintText(...first);
    site.scope.report(site, 'SVC1020', site.where, text, 'no type', 'a type before it, as in number & Min<1>');
    return unreadable;
  }
  return readKeys(type, reader, site);
}

/** Neither a list, nor a function, nor a type of the language. */
export function isPlainObject(type: ts.Type, compilation: Compilation): boolean {
  const { checker } = compilation;
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    !checker.isArrayType(type) &&
    !checker.isTupleType(type) &&
    builtInOf(type, compilation) === null &&
    checker.getSignaturesOfType(type, ts.SignatureKind.Call).length === 0
  );
}

function readKeys(type: ts.Type, reader: TypeReader, site: Site): TypeModel {
  const { checker } = reader.compilation;
  const indexes = checker.getIndexInfosOfType(type);
  const properties = readProperties(type, classOf(type), reader, site);
  checkSubjects(properties, site);
  const odd = indexes.find(({ keyType }) => (keyType.flags & ts.TypeFlags.String) === 0);
  if (odd !== undefined) {
    site.scope.report(site, 'SVC1014', site.where, typeText(odd.keyType, reader.compilation));
    return unreadable;
  }
  const [index] = indexes;
  if (index === undefined) return readNamed(type, objectOf(properties, site), reader, site);
  if (properties.length > 0) {
    site.scope.report(site, 'SVC1013', site.where);
    return objectOf(properties, site);
  }
  return { kind: 'record', values: readItem(index.type, reader, site) };
}

function objectOf(properties: readonly PropertyModel[], { scope }: Site): ObjectType {
  return { kind: 'object', properties, ...(scope.isLenient && { isLenient: true }) };
}

/** `{}` has no meaning; a class or interface without properties is an empty object. */
function readNamed(type: ts.Type, object: ObjectType, { compilation }: TypeReader, site: Site): TypeModel {
  const hasNothing = compilation.checker.getPropertiesOfType(type).length === 0;
  if (!hasNothing || !isAnonymous(type)) return object;
  site.scope.report(site, 'SVC1002', site.where, '{}');
  return unreadable;
}

function readBuiltIn(type: ts.Type, { name }: ts.Symbol, reader: TypeReader, site: Site): TypeModel {
  const isItself = type.symbol.name === name;
  if (isItself && name === 'Date') return { kind: 'date' };
  if (isItself && (name === 'Set' || name === 'ReadonlySet')) return readSet(type as ts.TypeReference, reader, site);
  if (name === 'Function') site.scope.report(site, 'SVC1006', site.where);
  else if (name === 'Object') site.scope.report(site, 'SVC1002', site.where, 'Object');
  else site.scope.report(site, 'SVC1007', site.where, name, fixForBuiltIn(name));
  return unreadable;
}

/** The class or interface of the language that a type is or extends. */
function builtInOf(type: ts.Type, compilation: Compilation): ts.Symbol | null {
  if (isAnonymous(type)) return null;
  if (compilation.isBuiltIn(type.symbol)) return type.symbol;
  const declared = (type as ts.TypeReference).target ?? type;
  if (!declared.isClassOrInterface()) return null;
  for (const base of compilation.checker.getBaseTypes(declared)) {
    const found = (base.flags & ts.TypeFlags.Object) === 0 ? null : builtInOf(base, compilation);
    if (found !== null) return found;
  }
  return null;
}

function classOf(type: ts.Type): ts.Symbol | null {
  return !isAnonymous(type) && (type.symbol.flags & ts.SymbolFlags.Class) !== 0 ? type.symbol : null;
}

function isConstructor(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getSignaturesOfType(type, ts.SignatureKind.Construct).length > 0;
}
