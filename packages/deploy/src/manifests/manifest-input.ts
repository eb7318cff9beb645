import type { Environment } from '../platform/index.js';
import type { KubernetesSettings } from '../kubernetes/settings.js';

/** The deployment strategies. */
export const strategies = ['rolling', 'recreate', 'blue-green', 'canary'] as const;
/** The name of a deployment strategy. */
export type Strategy = (typeof strategies)[number];

/** Whether a text names a deployment strategy. */
export function isStrategy(text: string): text is Strategy {
  return (strategies as readonly string[]).includes(text);
}

/** The input for the objects of one service. */
export interface ManifestInput {
  readonly service: string;
  readonly version: string;
  readonly instances: number;
  readonly critical: boolean;
  readonly strategy: Strategy;
  readonly settings: KubernetesSettings;
}

export function nameOf(service: string, environment: Environment | null): string {
  return environment === null ? service : `${service}-${environment}`;
}
