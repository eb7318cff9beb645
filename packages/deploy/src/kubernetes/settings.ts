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
  readonly hostname?: string;
  /** Default: what `kubectl` would use. */
  readonly kubeconfig?: string;
  readonly context?: string;
}
