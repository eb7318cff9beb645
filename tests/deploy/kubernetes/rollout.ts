/** An object in the cluster, as far as these tests look into it. */
export interface Kubernetes {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly generation?: number;
    readonly resourceVersion?: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  status?: Record<string, unknown>;
}

/** The gateway goes by a route as it is now. */
export function acceptRoute(route: Kubernetes): void {
  const conditions = [{ type: 'Accepted', status: 'True', observedGeneration: route.metadata.generation ?? 1 }];
  route.status = { parents: [{ parentRef: { name: 'gateway' }, controllerName: 'test', conditions }] };
}

/**
 * Each look at a Deployment finds it one step further: first the change is not seen yet, then instances are replaced. Those of an image
 * `…:broken` never become available.
 */
export function rolloutStep(object: Kubernetes): Kubernetes {
  const { metadata, spec } = object;
  const generation = metadata.generation ?? 1;
  const shown = structuredClone(object);
  const wanted = Number(spec['replicas']);
  const template = JSON.stringify(spec['template']);
  const status = object.status ?? {
    observedGeneration: 0,
    updatedReplicas: wanted,
    availableReplicas: wanted,
    template,
  };
  if (Number(status['observedGeneration']) < generation) {
    // More or fewer of the same are not replaced.
    const updatedReplicas = status['template'] === template ? wanted : 0;
    const { conditions: _, ...counted } = status;
    object.status = { ...counted, observedGeneration: generation, updatedReplicas, template };
    return { ...shown, status };
  }
  if (template.includes(':broken"')) {
    const conditions = [
      { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'Timed out.' },
    ];
    object.status = { ...status, updatedReplicas: 1, replicas: wanted + 1, availableReplicas: wanted, conditions };
    return { ...shown, status: object.status };
  }
  const updatedReplicas = Math.min(wanted, Number(status['updatedReplicas']) + 3);
  object.status = { ...status, updatedReplicas, replicas: wanted, availableReplicas: wanted };
  return { ...shown, status };
}
