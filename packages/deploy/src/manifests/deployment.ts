import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { criticalAnnotation, environmentVariable } from '../kubernetes/names.js';
import type { Environment } from '../platform/index.js';
import { mountsOf, variableSourcesOf, variablesOf, volumesOf } from './container-inputs.js';
import { drainTiming, terminationGracePeriodSeconds } from './drain-timing.js';
import { labelsOf, selectorOf } from './labels.js';
import { nameOf, type ManifestInput } from './manifest-input.js';

export function deployment(input: ManifestInput, environment: Environment | null, replicas: number): IDeployment {
  const { service, settings, strategy, critical } = input;
  const selector = selectorOf(service, environment);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: nameOf(service, environment),
      namespace: settings.namespace,
      labels: labelsOf(service, environment),
      annotations: { [criticalAnnotation]: String(critical) },
    },
    spec: {
      replicas,
      revisionHistoryLimit: 10,
      minReadySeconds: 5,
      progressDeadlineSeconds: 300,
      selector: { matchLabels: selector },
      strategy:
        strategy === 'recreate'
          ? { type: 'Recreate' }
          : { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 2 } },
      template: {
        metadata: { labels: labelsOf(service, environment) },
        spec: {
          // A service does not use the Kubernetes API, so it gets no token.
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            runAsGroup: 1000,
            fsGroup: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: selector },
            },
          ],
          containers: [container(input, environment)],
          volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }, ...volumesOf(settings)],
        },
      },
    },
  };
}

function container({ version, settings }: ManifestInput, environment: Environment | null): IContainer {
  const probe = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 3 });
  return {
    name: settings.container,
    image: `${settings.image}:${version}`,
    ports: [{ name: 'http', containerPort: settings.port }],
    env: [
      { name: 'HOST', value: '0.0.0.0' },
      { name: 'PORT', value: String(settings.port) },
      { name: 'DRAIN_NOTICE_MS', value: String(drainTiming.noticeSeconds * 1000) },
      ...(environment === null ? [] : [{ name: environmentVariable, value: environment }]),
      ...variablesOf(settings),
    ],
    ...variableSourcesOf(settings),
    // Readiness gates traffic; only a process that does not respond at all is restarted. An unreachable database must not
    // restart every pod.
    readinessProbe: { ...probe('/health/ready'), periodSeconds: 5, failureThreshold: 1 },
    livenessProbe: { ...probe('/health/live'), periodSeconds: 10, failureThreshold: 3 },
    startupProbe: { ...probe('/health/live'), periodSeconds: 2, failureThreshold: 30 },
    // The image has no shell, but it has Node.
    lifecycle: {
      preStop: { exec: { command: ['node', '-e', `setTimeout(() => {}, ${drainTiming.preStopSeconds * 1000})`] } },
    },
    // No CPU limit: it would throttle a pod while the node is idle.
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, ...mountsOf(settings)],
  };
}
