/** Why a text cannot be the path of a POST route; null if it can. */
export function routeFault(route: string): string | null {
  if (!route.startsWith('/')) return 'does not start with /';
  if (/\s/.test(route)) return 'contains white space';
  if (/[?#]/.test(route)) return 'contains ? or #, which end a path';
  if (/[:{}]/.test(route)) return 'has a path parameter, and there are none';
  return route.includes('*') ? 'contains *, and matches more than itself' : null;
}

/** Why a text cannot be a field of the GraphQL schema; null if it can. */
export function fieldFault(name: string): string | null {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(name)) return 'is not a GraphQL name';
  return name.startsWith('__') ? 'starts with __, which GraphQL reserves for itself' : null;
}
