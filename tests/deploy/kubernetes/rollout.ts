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

/** Each look at a Deployment finds it one step further: first the change is not seen yet, then instances are replaced. */
export function rolloutStep(object: Kubernetes): Kubernetes {
  const { kind, metadata, spec } = object;
  const generation = metadata.generation ?? 1;
  if (kind === 'HTTPRoute') {
    const conditions = [{ type: 'Accepted', status: 'True', observedGeneration: generation }];
    return { ...object, status: { parents: [{ parentRef: { name: 'gateway' }, controllerName: 'test', conditions }] } };
  }
  if (kind !== 'Deployment') return object;
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
    object.status = { ...status, observedGeneration: generation, updatedReplicas, template };
    return { ...shown, status };
  }
  const updatedReplicas = Math.min(wanted, Number(status['updatedReplicas']) + 3);
  object.status = { ...status, updatedReplicas, replicas: wanted, availableReplicas: wanted };
  return { ...shown, status };
}
