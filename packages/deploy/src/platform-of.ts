import type { DeployConfig } from './config/deploy-config.js';
import { HaproxyPlatform } from './haproxy/index.js';
import { PrometheusMetrics } from './metrics/prometheus.js';
import type { TrafficPlatform } from './platform/index.js';

/** The configured platform. The Kubernetes client is large and loaded only for a cluster. */
export async function platformOf(config: DeployConfig): Promise<TrafficPlatform> {
  const { service, critical, haproxy: settings, kubernetes, prometheus } = config;
  const metrics = prometheus === null ? undefined : new PrometheusMetrics(prometheus, service);
  const measured = metrics === undefined ? {} : { metrics };
  if (settings !== null) return new HaproxyPlatform({ service, critical, settings, ...measured });
  const { kubernetesPlatform } = await import('./kubernetes/index.js');
  return kubernetesPlatform({ service, critical, settings: kubernetes!, header: config.header, ...measured });
}
