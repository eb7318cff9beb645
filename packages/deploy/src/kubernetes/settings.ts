/** A Secret or a ConfigMap in the namespace of the service. */
export interface Source {
  readonly kind: 'secret' | 'configMap';
  readonly name: string;
}

/** Where a service runs in a cluster. Objects are named after the service: `orders`, `orders-blue`, `orders-green`. */
export interface KubernetesSettings {
  readonly namespace: string;
  /** The image without its tag; the version is the tag. */
  readonly image: string;
  /** The container's name in the pod. Default: the service's. */
  readonly container: string;
  readonly port: number;
  /** The Gateway that the HTTPRoute belongs to. Default: `gateway`. */
  readonly gateway: string;
  /** Between two looks at what the cluster does. Default: 1000. */
  readonly pollMs: number;
  /** How long the gateway may take to go by a changed HTTPRoute. Default: 30000. */
  readonly acceptMs: number;
  /** Variables of the containers: values that stand here, or what a key of a Secret or ConfigMap holds. */
  readonly env: Readonly<Record<string, string | (Source & { readonly key: string })>>;
  /** All keys of these are variables of the containers. */
  readonly envFrom: readonly Source[];
  /** Folders of the containers that hold a file for each key, and change when it does. */
  readonly files: readonly (Source & { readonly path: string })[];
  readonly hostname?: string;
  /** Default: what `kubectl` would use. */
  readonly kubeconfig?: string;
  readonly context?: string;
}
