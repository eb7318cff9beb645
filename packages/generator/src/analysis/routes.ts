/** Why a text cannot be the path of a POST route; null if it can. */
export function routeFault(route: string): string | null {
  if (!route.startsWith('/')) return 'does not start with /';
  if (/\s/.test(route)) return 'contains white space';
  if (/[?#]/.test(route)) return 'contains ? or #, which end a path';
  if (/[{}]/.test(route)) return 'contains { or }, but a parameter is written as :orderId';
  if (route.includes('*')) return 'contains *, and matches more than itself';
  const isOdd = route.split('/').some((part) => part.includes(':') && !parameter.test(part));
  return isOdd ? 'has a part with : that is not a parameter such as :orderId' : null;
}

const parameter = /^:[A-Za-z_]\w*$/;

/** The names of the parameters of a valid route, in their order. */
export function parametersIn(route: string): string[] {
  return route
    .split('/')
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1));
}

/** Equal for routes that match the same paths: `/orders/:id` and `/orders/:orderId`. */
export function shapeOf(route: string): string {
  return route
    .split('/')
    .map((part) => (part.startsWith(':') ? ':' : part))
    .join('/');
}

/** Why a text cannot be a field of the GraphQL schema; null if it can. */
export function fieldFault(name: string): string | null {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(name)) return 'is not a GraphQL name';
  return name.startsWith('__') ? 'starts with __, which GraphQL reserves for itself' : null;
}
