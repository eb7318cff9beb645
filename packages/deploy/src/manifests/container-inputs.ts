import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IVolume } from 'kubernetes-models/v1/Volume';
import type { KubernetesSettings, Source } from '../kubernetes/settings.js';

type Variable = NonNullable<IContainer['env']>[number];
type Mount = NonNullable<IContainer['volumeMounts']>[number];

/** The variables of deploy.json. Values of Secrets stay in the cluster, because manifests are stored as files. */
export function variablesOf({ env }: KubernetesSettings): readonly Variable[] {
  return Object.entries(env).map(([name, value]) => {
    if (typeof value === 'string') return { name, value };
    const { kind, name: source, key } = value;
    return {
      name,
      valueFrom:
        kind === 'secret' ? { secretKeyRef: { name: source, key } } : { configMapKeyRef: { name: source, key } },
    };
  });
}

export function variableSourcesOf({ envFrom }: KubernetesSettings): Pick<IContainer, 'envFrom'> {
  if (envFrom.length === 0) return {};
  return {
    envFrom: envFrom.map(({ kind, name }) =>
      kind === 'secret' ? { secretRef: { name } } : { configMapRef: { name } },
    ),
  };
}

/** Whole folders, because single mounted files would not follow changes. */
export function mountsOf({ files }: KubernetesSettings): readonly Mount[] {
  return files.map(({ path }, index) => ({ name: volumeName(index), mountPath: path, readOnly: true }));
}

export function volumesOf({ files }: KubernetesSettings): readonly IVolume[] {
  return files.map((source, index) => ({ name: volumeName(index), ...volumeOf(source) }));
}

/** Only the group of the service can read secrets. */
function volumeOf({ kind, name }: Source): Omit<IVolume, 'name'> {
  return kind === 'secret' ? { secret: { secretName: name, defaultMode: 0o440 } } : { configMap: { name } };
}

function volumeName(index: number): string {
  return `files-${index + 1}`;
}
