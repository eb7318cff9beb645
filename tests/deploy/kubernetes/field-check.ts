/** What a strict API server does with fields it does not know, by the tables of the API client. */
import { requireValid } from '@svc/deploy/manifests';
import type { Kubernetes } from './rollout.js';

export function unknownFields({ apiVersion, kind, metadata, spec }: Kubernetes): readonly string[] {
  const object = { apiVersion, kind, metadata, spec };
  try {
    requireValid(object);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
