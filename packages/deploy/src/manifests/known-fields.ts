import * as client from '@kubernetes/client-node';

/** A class of the API client. It lists the fields of its type and their types. */
interface FieldTable {
  getAttributeTypeMap(): readonly { readonly baseName: string; readonly type: string }[];
}

const roots: Readonly<Record<string, string>> = {
  Deployment: 'V1Deployment',
  Service: 'V1Service',
  PodDisruptionBudget: 'V1PodDisruptionBudget',
};

/** Types that the client does not have: the fields of our HTTPRoutes. */
const handwritten: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  HTTPRoute: { apiVersion: 'string', kind: 'string', metadata: 'V1ObjectMeta', spec: 'HTTPRouteSpec' },
  HTTPRouteSpec: { parentRefs: 'Array<ParentReference>', hostnames: 'Array<string>', rules: 'Array<HTTPRouteRule>' },
  ParentReference: {
    group: 'string',
    kind: 'string',
    namespace: 'string',
    name: 'string',
    sectionName: 'string',
    port: 'number',
  },
  HTTPRouteRule: { matches: 'Array<HTTPRouteMatch>', backendRefs: 'Array<HTTPBackendRef>' },
  HTTPRouteMatch: { path: 'HTTPPathMatch', headers: 'Array<HTTPHeaderMatch>', method: 'string' },
  HTTPPathMatch: { type: 'string', value: 'string' },
  HTTPHeaderMatch: { type: 'string', name: 'string', value: 'string' },
  HTTPBackendRef: {
    group: 'string',
    kind: 'string',
    namespace: 'string',
    name: 'string',
    port: 'number',
    weight: 'number',
  },
};

/** The paths of fields that an object has and its type does not. */
export function unknownFields(manifest: { readonly kind: string }): readonly string[] {
  return search(manifest, roots[manifest.kind] ?? manifest.kind, '');
}

function search(value: unknown, type: string, at: string): string[] {
  const [, item] = /^Array<(.+)>$/.exec(type) ?? [];
  if (item !== undefined) {
    return Array.isArray(value) ? value.flatMap((element, i) => search(element, item, `${at}[${i}]`)) : [];
  }
  const fields = fieldsOf(type);
  if (fields === null || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const fieldType = fields.get(name);
    return fieldType === undefined ? [path] : search(field, fieldType, path);
  });
}

/** Null for values without fields: strings, numbers, maps. */
function fieldsOf(type: string): ReadonlyMap<string, string> | null {
  const own = handwritten[type];
  if (own !== undefined) return new Map(Object.entries(own));
  const model: unknown = (client as Readonly<Record<string, unknown>>)[type];
  if (typeof model !== 'function' || !('getAttributeTypeMap' in model)) return null;
  const table = (model as unknown as FieldTable).getAttributeTypeMap();
  return new Map(table.map(({ baseName, type: fieldType }) => [baseName, fieldType]));
}
