import type { TypeModel } from '../../model/index.js';
import { isErrorType, ts } from '../compiler.js';
import type { Site } from './draft.js';
import { literalValue } from './literals.js';
import { nothing, unreadable, type TypeReader } from './type-reader.js';
import { typeText } from './type-text.js';
import { unresolvedModuleIn } from './unresolved-imports.js';

/** Types that are not composed of others, supported or not; null for unions, intersections and objects. */
export function readSimple(type: ts.Type, reader: TypeReader, site: Site): TypeModel | null {
  const { flags } = type;
  if ((flags & ts.TypeFlags.Any) !== 0) return readAny(type, reader, site);
  if ((flags & ts.TypeFlags.Unknown) !== 0) return { kind: 'json' };
  if ((flags & ts.TypeFlags.String) !== 0) return { kind: 'string' };
  if ((flags & ts.TypeFlags.Number) !== 0) return { kind: 'number', integer: false };
  if ((flags & ts.TypeFlags.Boolean) !== 0) return { kind: 'boolean' };
  const literal = literalValue(type);
  if (literal !== null) return { kind: 'literal', values: [literal] };
  if ((flags & ts.TypeFlags.Instantiable) !== 0 && (flags & textTypes) === 0) return readOpen(type, reader, site);
  return readUnusable(type, reader, site) ? unreadable : null;
}

const textTypes = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;

function readAny(type: ts.Type, { compilation }: TypeReader, site: Site): TypeModel {
  const { scope, where } = site;
  const written = writtenType(site.node);
  const module = written === null ? null : unresolvedModuleIn(written, compilation);
  if (!isErrorType(type)) scope.report(site, 'SVC1001', where);
  else if (module !== null) scope.report(site, 'SVC1051', where, written!.getText(), module);
  else scope.report(site, 'SVC1024', where, written?.getText() ?? 'of an unknown type');
  return unreadable;
}

/** Reports a type without a JSON form. */
function readUnusable(type: ts.Type, { compilation }: TypeReader, site: Site): boolean {
  const { flags } = type;
  const { scope, where } = site;
  if ((flags & ts.TypeFlags.Never) !== 0) scope.report(site, 'SVC1003', where);
  else if ((flags & ts.TypeFlags.BigIntLike) !== 0) scope.report(site, 'SVC1004', where);
  else if ((flags & ts.TypeFlags.ESSymbolLike) !== 0) scope.report(site, 'SVC1005', where);
  else if ((flags & ts.TypeFlags.NonPrimitive) !== 0) scope.report(site, 'SVC1002', where, 'object');
  else if ((flags & textTypes) !== 0) scope.report(site, 'SVC1010', where, typeText(type, compilation));
  else if ((flags & ts.TypeFlags.Null) !== 0) scope.report(site, 'SVC1026', where);
  else if ((flags & nothing) !== 0) scope.report(site, 'SVC1025', where);
  else if ((flags & ts.TypeFlags.Enum) !== 0) scope.report(site, 'SVC1028', where, typeText(type, compilation));
  else return false;
  return true;
}

/** A type parameter, or a type that depends on one. `this` depends only on its class. */
function readOpen(type: ts.Type, reader: TypeReader, site: Site): TypeModel {
  const isThis = (type as { isThisType?: boolean }).isThisType === true;
  const self = isThis ? reader.compilation.checker.getBaseConstraintOfType(type) : undefined;
  if (self !== undefined) return reader.read(self, site);
  site.scope.report(site, 'SVC1023', site.where, typeText(type, reader.compilation));
  return unreadable;
}

/** The type as the user wrote it, if the checker cannot describe it. */
function writtenType(node: ts.Node | null): ts.TypeNode | null {
  if (node === null) return null;
  const written =
    ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node) ? node.type : node;
  return written !== undefined && ts.isTypeNode(written) ? written : null;
}
