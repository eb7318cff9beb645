/** A Secret or a ConfigMap in the namespace of the service. */
export interface Source {
  readonly kind: 'secret' | 'configMap';
  readonly name: string;
}

/** The service in a cluster. Objects are named after the service: `orders`, `orders-blue`, `orders-green`. */
export interface KubernetesSettings {
  /** The namespace of all objects. Default: `default`. */
  readonly namespace: string;
  /** The image without its tag; the version is the tag. */
  readonly image: string;
  /** The container's name in the pod. Default: the service's. */
  readonly container: string;
  /** The port of the containers. Default: 3000. */
  readonly port: number;
  /** The Gateway that the HTTPRoute belongs to. Default: `gateway`. */
  readonly gateway: string;
  /** Poll interval in milliseconds. Default: 1000. */
  readonly pollMs: number;
  /** How long the gateway may take to accept a changed HTTPRoute. Default: 30000. */
  readonly acceptMs: number;
  /** Variables of the containers: literal values, or keys of a Secret or ConfigMap. Default: none. */
  readonly env: Readonly<Record<string, string | (Source & { readonly key: string })>>;
  /** Secrets and ConfigMaps all keys of which become variables of the containers. Default: none. */
  readonly envFrom: readonly Source[];
  /** Folders of the containers with one file per key, which follow changes of the key. Default: none. */
  readonly files: readonly (Source & { readonly path: string })[];
  /** The host name of the HTTPRoute. Default: every host name. */
  readonly hostname?: string;
  /** The file with the access to the cluster. Default: the one that `kubectl` would use. */
  readonly kubeconfig?: string;
  /** The context in it. Default: the one that `kubectl` would use. */
  readonly context?: string;
}
