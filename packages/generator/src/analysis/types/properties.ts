import type { PropertyModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import { descriptionOf } from './declared-names.js';
import { checkDefault, defaultOf } from './defaults.js';
import type { Site } from './draft.js';
import { subjectOf } from './personal.js';
import { orderedProperties } from './property-order.js';
import { isEmptyInitialiser, isSecret } from './secrets.js';
import { canBe, nothing, withoutUndefined, type TypeReader } from './type-reader.js';

const forbiddenNames = new Set(['__proto__', 'constructor']);

/** The data of an object type, in the order of declaration. `owner` is its class, if the object is an instance of one. */
export function readProperties(
  type: ts.Type,
  owner: ts.Symbol | null,
  reader: TypeReader,
  site: Site,
): readonly PropertyModel[] {
  return orderedProperties(type, reader.compilation)
    .map((property) => readProperty(property, owner, reader, site))
    .filter((property) => property !== null);
}

function readProperty(
  property: ts.Symbol,
  owner: ts.Symbol | null,
  reader: TypeReader,
  outer: Site,
): PropertyModel | null {
  // Properties named by a symbol, such as brands, do not exist in JSON.
  if (String(property.escapedName).startsWith('__@')) return null;
  const declaration = property.valueDeclaration ?? property.declarations?.[0];
  const hidden = declaration === undefined ? null : visibilityOf(declaration);
  const name = hidden === 'private' && declaration !== undefined ? declaredText(declaration, property) : property.name;
  const site = siteOf(name, declaration, reader, outer);
  if (owner !== null && isBehaviour(property, declaration)) {
    const kind = (property.flags & ts.SymbolFlags.Method) !== 0 ? 'a method' : 'an accessor';
    outer.scope.reportAsPart(site, 'SVC1017', site.where, kind, outer.where);
    return null;
  }
  if (hidden !== null) {
    outer.scope.report(site, 'SVC1016', site.where, hidden);
    return null;
  }
  if (forbiddenNames.has(name)) {
    outer.scope.report(site, 'SVC1015', site.where, name);
    return null;
  }
  return readData(property, name, declaration, owner !== null, reader, site);
}

function readData(
  property: ts.Symbol,
  name: string,
  declaration: ts.Declaration | undefined,
  ofClass: boolean,
  reader: TypeReader,
  site: Site,
): PropertyModel | null {
  const { compilation } = reader;
  const declared = compilation.checker.getTypeOfSymbol(property);
  const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || canBe(declared, nothing);
  const isInitialised = ofClass && declaration !== undefined && hasInitialiser(declaration);
  const type = withoutUndefined(declared, compilation);
  if (isInitialised && isSecret(type, compilation) && !isEmptyInitialiser(declaration)) {
    site.scope.report(site, 'SVC1031', site.where);
  }
  // `gone?: never` forbids the property, and unknown properties are rejected anyway.
  if (isOptional && (type.flags & (nothing | ts.TypeFlags.Never)) !== 0) return null;
  if ((type.flags & ts.TypeFlags.Null) !== 0) {
    site.scope.report(site, 'SVC1026', site.where);
    return null;
  }
  const personal = subjectOf(type, compilation);
  if (personal !== null && !canBe(type, ts.TypeFlags.Null)) site.scope.noteErasable(site);
  const model = reader.read(type, site);
  if (isInitialised) checkDefault(declaration, model, reader, site);
  const isShown = isInitialised && personal === null && !isSecret(type, compilation);
  const value = isShown ? defaultOf(declaration, compilation.checker) : undefined;
  return {
    name,
    type: model,
    presence: isInitialised ? 'initialised' : isOptional ? 'optional' : 'required',
    description: descriptionOf(property),
    ...(value !== undefined && { default: value }),
    ...(personal !== null && { personal }),
  };
}

/** The location of the property, if it is in the user's code and declares its own type. */
function siteOf(name: string, declaration: ts.Declaration | undefined, { compilation }: TypeReader, outer: Site): Site {
  const where = `${outer.where}.${name}`;
  if (declaration === undefined || !compilation.paths.isBelowSourceRoot(declaration.getSourceFile().fileName)) {
    return { ...outer, where };
  }
  const { typeParameters } = outer.scope;
  const depends = typeParameters.size > 0 && mentions(declaration, typeParameters);
  return { scope: outer.scope, where, node: depends ? null : declaration };
}

function mentions(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text);
  return ts.forEachChild(node, (child) => mentions(child, names) || undefined) ?? false;
}

/** A method, getter or setter: part of the class, not of its data. `accessor x = 1` is data. */
function isBehaviour(property: ts.Symbol, declaration: ts.Declaration | undefined): boolean {
  if ((property.flags & ts.SymbolFlags.Method) !== 0) return true;
  const isAccessor = (property.flags & ts.SymbolFlags.Accessor) !== 0;
  return isAccessor && (declaration === undefined || !ts.isPropertyDeclaration(declaration));
}

function visibilityOf(declaration: ts.Declaration): 'private' | 'protected' | null {
  const name = ts.getNameOfDeclaration(declaration);
  if (name !== undefined && ts.isPrivateIdentifier(name)) return 'private';
  const flags = ts.getCombinedModifierFlags(declaration);
  if ((flags & ts.ModifierFlags.Private) !== 0) return 'private';
  return (flags & ts.ModifierFlags.Protected) !== 0 ? 'protected' : null;
}

/** `#secret`, which the checker knows under a mangled name. */
function declaredText(declaration: ts.Declaration, property: ts.Symbol): string {
  const name = ts.getNameOfDeclaration(declaration);
  return name !== undefined && ts.isPrivateIdentifier(name) ? name.text : property.name;
}

function hasInitialiser(declaration: ts.Declaration): boolean {
  if (declaration.getSourceFile().isDeclarationFile) return false;
  const isProperty = ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration);
  return isProperty && declaration.initializer !== undefined;
}
