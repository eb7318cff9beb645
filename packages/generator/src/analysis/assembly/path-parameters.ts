import type { PathParameter, PropertyModel, TypeModel } from '../../model/index.js';
import type { EndpointFact, MessageFact } from '../facts.js';
import { parametersIn, routeFault, shapeOf } from '../routes.js';
import type { TypeDraft } from '../types/index.js';
import type { Reports } from './reports.js';

type Drafts = ReadonlyMap<string, TypeDraft>;

/** The parameters of an endpoint's route, in their order. Reports those that are not properties which a path can contain. */
export function pathParametersOf(
  { commandId, request, restRoute }: EndpointFact,
  drafts: Drafts,
  reports: Reports,
): PathParameter[] {
  // Another diagnostic reports a route that is not valid.
  if (restRoute === null || routeFault(restRoute.value) !== null) return [];
  const { value: route, at } = restRoute;
  const body = drafts.get(request?.value.typeId ?? commandId);
  if (body?.type.kind !== 'object') return [];
  const { name: owner, type } = body;
  const names = parametersIn(route);
  return [...new Set(names)].flatMap((name): PathParameter[] => {
    if (names.indexOf(name) !== names.lastIndexOf(name)) reports.report(at, 'SVC1122', name, route);
    const property = type.properties.find((one) => one.name === name);
    const reason = whyNotRequired(property, owner);
    if (property === undefined || reason !== null) {
      reports.report(at, 'SVC1120', name, route, reason ?? '', owner);
      return [];
    }
    const unfit = whyUnfit(property, drafts);
    if (unfit !== null) {
      reports.report(at, 'SVC1121', `${owner}.${name}`, route, unfit);
      return [];
    }
    return [{ name, kind: property.type.kind === 'number' ? 'integer' : 'text' }];
  });
}

/** Reports routes that differ only in the names of their parameters. */
export function checkShapes(
  entries: readonly { readonly fact: EndpointFact; readonly command: MessageFact }[],
  reports: Reports,
): void {
  const owners = new Map<string, { readonly route: string; readonly command: MessageFact }>();
  for (const { fact, command } of entries) {
    if (fact.restRoute === null) continue;
    const { value: route, at } = fact.restRoute;
    const other = owners.get(shapeOf(route));
    if (other === undefined) owners.set(shapeOf(route), { route, command });
    // Another diagnostic reports equal routes.
    else if (other.route !== route) {
      reports.report(at, 'SVC1123', route, command.name, other.route, other.command.name);
    }
  }
}

function whyNotRequired(property: PropertyModel | undefined, owner: string): string | null {
  if (property === undefined) return `is not a property of ${owner}`;
  if (property.presence === 'required') return null;
  return property.presence === 'optional' ? `is optional in ${owner}` : `has a default value in ${owner}`;
}

/** Servers and proxies log the paths of requests, so that secrets and personal data must not be in them. */
function whyUnfit({ type, personal }: PropertyModel, drafts: Drafts): string | null {
  if (personal !== undefined) return 'is personal data, which paths in logs would reveal';
  if (type.kind === 'string' && type.secret === true) return 'is a Secret, which paths in logs would reveal';
  return isText(type, drafts) ? null : 'has a type that a path cannot contain';
}

function isText(type: TypeModel, drafts: Drafts): boolean {
  switch (type.kind) {
    case 'string':
    case 'date':
      return true;
    case 'number':
      return type.integer;
    case 'literal':
      return type.values.every((value) => typeof value === 'string');
    case 'ref': {
      const target = drafts.get(type.id)?.type;
      return target?.kind === 'literal' && isText(target, drafts);
    }
    default:
      return false;
  }
}
