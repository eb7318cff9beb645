import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IVolume } from 'kubernetes-models/v1/Volume';
import type { KubernetesSettings, Source } from '../kubernetes/settings.js';

type Variable = NonNullable<IContainer['env']>[number];
type Mount = NonNullable<IContainer['volumeMounts']>[number];

/** The variables of a service that deploy.json names. Values of Secrets stay there: a manifest is a file that people keep. */
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

/** Whole folders and not single files: those would stay as they were when the pod started. */
export function mountsOf({ files }: KubernetesSettings): readonly Mount[] {
  return files.map(({ path }, index) => ({ name: volumeName(index), mountPath: path, readOnly: true }));
}

export function volumesOf({ files }: KubernetesSettings): readonly IVolume[] {
  return files.map((source, index) => ({ name: volumeName(index), ...volumeOf(source) }));
}

/** What is secret can be read by the group of the service alone. */
function volumeOf({ kind, name }: Source): Omit<IVolume, 'name'> {
  return kind === 'secret' ? { secret: { secretName: name, defaultMode: 0o440 } } : { configMap: { name } };
}

function volumeName(index: number): string {
  return `files-${index + 1}`;
}
