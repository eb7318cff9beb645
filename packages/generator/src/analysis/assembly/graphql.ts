import { graphQLSchema } from '../../graphql/index.js';
import type { ServiceModel } from '../../model/index.js';
import type { AssembledEndpoint } from './endpoints.js';
import type { Reports } from './reports.js';

/** Reports what the GraphQL schema cannot express, at the mutation that asks for it. */
export function checkGraphQL(model: ServiceModel, endpoints: readonly AssembledEndpoint[], reports: Reports): void {
  // A model with holes has its own reports already.
  if (reports.any) return;
  const places = new Map(endpoints.map(({ command, fact }) => [command.name, fact.graphQLMutation?.at ?? command.at]));
  for (const { command, problem } of graphQLSchema(model)?.faults ?? []) {
    reports.reportFinding({ problem, at: places.get(command)! }, null);
  }
}
