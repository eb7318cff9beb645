import { environmentLabel } from '../kubernetes/names.js';
import type { Environment } from '../platform/index.js';

/** Selects the pods of a service, or of one of its environments. */
export function selectorOf(service: string, environment: Environment | null): Record<string, string> {
  const labels = { 'app.kubernetes.io/name': service };
  return environment === null ? labels : { ...labels, [environmentLabel]: environment };
}

export function labelsOf(service: string, environment: Environment | null): Record<string, string> {
  return { ...selectorOf(service, environment), 'app.kubernetes.io/managed-by': 'svc' };
}
