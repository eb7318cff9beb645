import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { DeployError } from '../deploy-error.js';
import { environments, type Environment, type Split } from '../platform/index.js';

export type HttpRoute = IHTTPRoute;
type Rules = NonNullable<NonNullable<HttpRoute['spec']>['rules']>;
type Rule = Rules[number];

/** The split that the route's weights result in. */
export function splitOfRoute(route: HttpRoute, service: string): Split {
  const refs = weighedRule(route, service).backendRefs ?? [];
  const weightOf = (environment: Environment): number =>
    refs.find(({ name }) => name === `${service}-${environment}`)?.weight ?? 0;
  const total = weightOf('blue') + weightOf('green');
  const blue = total === 0 ? 100 : Math.round((weightOf('blue') / total) * 100);
  return { blue, green: 100 - blue };
}

/** The route with other weights. Both change in a single write. */
export function withSplit(route: HttpRoute, service: string, split: Split): HttpRoute {
  const changed = structuredClone(route);
  for (const ref of weighedRule(changed, service).backendRefs ?? []) {
    const environment = environments.find((candidate) => ref.name === `${service}-${candidate}`);
    if (environment !== undefined) ref.weight = split[environment];
  }
  return changed;
}

/** The route with, or without, a rule that sends requests with the header to one environment. */
export function withForced(route: HttpRoute, service: string, header: string, to: Environment | null): HttpRoute {
  const others = (route.spec?.rules ?? []).filter((rule) => !isForced(rule, header));
  const forced = to === null ? [] : [forcedRule(weighedRule(route, service), header, `${service}-${to}`)];
  return { ...route, spec: { ...route.spec, rules: [...forced, ...others] } };
}

/** Whether the gateway has accepted the current route. A gateway without a status counts as having accepted it. */
export function isAccepted({ metadata, status }: HttpRoute): boolean {
  const generation = metadata?.generation ?? 0;
  return (status?.parents ?? []).every(({ conditions = [] }) =>
    conditions.some(
      ({ type, status: state, observedGeneration = 0 }) =>
        type === 'Accepted' && state === 'True' && observedGeneration >= generation,
    ),
  );
}

/** Whether a rule of the route leads to both environments. */
export function divides(route: HttpRoute, service: string): boolean {
  return findWeighed(route, service) !== undefined;
}

function weighedRule(route: HttpRoute, service: string): Rule {
  const rule = findWeighed(route, service);
  if (rule !== undefined) return rule;
  throw new DeployError(
    'refused',
    `No rule of the HTTPRoute has both ${service}-blue and ${service}-green as backends. Create one with svc deploy manifests --strategy canary.`,
  );
}

function findWeighed(route: HttpRoute, service: string): Rule | undefined {
  return (route.spec?.rules ?? []).find(({ backendRefs = [] }) =>
    environments.every((environment) => backendRefs.some(({ name }) => name === `${service}-${environment}`)),
  );
}

/**
 * A copy of the weighted rule for requests with the header and for one backend. It copies the paths too: a more exact path takes
 * precedence over a header.
 */
function forcedRule(weighed: Rule, header: string, backend: string): Rule {
  // Names of rules must be unique.
  const { name: _, matches = [{}], backendRefs = [], ...others } = structuredClone<Rule & { name?: string }>(weighed);
  for (const match of matches) (match.headers ??= []).push({ name: header, value: 'new' });
  const targets = backendRefs.filter(({ name }) => name === backend);
  for (const target of targets) target.weight = 1;
  return { ...others, matches, backendRefs: targets };
}

function isForced({ matches = [] }: Rule, header: string): boolean {
  return matches.some(({ headers = [] }) => headers.some(({ name }) => name.toLowerCase() === header));
}
