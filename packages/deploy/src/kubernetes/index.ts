export { connect, type ClusterApi } from './api.js';
export { KubernetesPlatform, kubernetesPlatform, type KubernetesPlatformOptions } from './kubernetes-platform.js';
export type { KubernetesSettings } from './settings.js';
