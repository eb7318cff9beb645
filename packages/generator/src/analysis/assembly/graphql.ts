import { graphQLSchema } from '../../graphql/index.js';
import type { Location } from '../locations.js';
import type { ServiceModel } from '../../model/index.js';
import type { AssembledEndpoint } from './endpoints.js';
import type { AssembledPerspective } from './perspectives.js';
import type { Reports } from './reports.js';

/** Reports what the GraphQL schema cannot express, at the mutation or query that requires it. */
export function checkGraphQL(
  model: ServiceModel,
  endpoints: readonly AssembledEndpoint[],
  perspectives: readonly AssembledPerspective[],
  reports: Reports,
): void {
  // An incomplete model has its own reports.
  if (reports.any) return;
  const places = new Map<unknown, Location>([
    ...endpoints.map(({ command, fact, model: of }) => [of, fact.graphQLMutation?.at ?? command.at] as const),
    ...perspectives.map(
      ({ fact, model: of }) => [of, (fact.graphQLQuery ?? fact.graphQLListQuery)?.at ?? fact.at] as const,
    ),
  ]);
  for (const { of, problem } of graphQLSchema(model)?.faults ?? []) {
    reports.reportFinding({ problem, at: places.get(of)! }, null);
  }
}
