import { DeployError } from '../deploy-error.js';
import type { KubernetesSettings, Source } from '../kubernetes/settings.js';
import { ownVariables } from '../kubernetes/names.js';
import type { Fields } from './fields.js';

export function kubernetesSettings(fields: Fields, service: string): KubernetesSettings {
  const settings: KubernetesSettings = {
    namespace: fields.text('namespace', 'default'),
    image: fields.text('image'),
    container: fields.text('container', service),
    port: fields.number('port', 3000),
    gateway: fields.text('gateway', 'gateway'),
    pollMs: fields.number('pollMs', 1000),
    acceptMs: fields.number('acceptMs', 30_000),
    env: fields.has('env') ? variables(fields.object('env')) : {},
    envFrom: fields.objects('envFrom').map((source) => ended(source, sourceOf(source))),
    files: folders(fields.objects('files')),
    ...(fields.has('kubeconfig') ? { kubeconfig: fields.text('kubeconfig') } : {}),
    ...(fields.has('context') ? { context: fields.text('context') } : {}),
    ...(fields.has('hostname') ? { hostname: fields.text('hostname') } : {}),
  };
  fields.end();
  return settings;
}

function variables(fields: Fields): KubernetesSettings['env'] {
  return Object.fromEntries(
    fields.names().map((name) => {
      if (!/^[A-Za-z_]\w*$/.test(name))
        throw invalid(`${fields.at(name)} is not a valid name of an environment variable.`);
      if (ownVariables.includes(name)) throw invalid(`${fields.at(name)} cannot be set: svc sets it.`);
      const value = fields.textOrObject(name);
      if (typeof value === 'string') return [name, value];
      return [name, ended(value, { ...sourceOf(value), key: matching(value, 'key', /^[-.\w]{1,253}$/) })];
    }),
  );
}

function folders(list: readonly Fields[]): KubernetesSettings['files'] {
  const found = list.map((fields) => {
    const path = matching(fields, 'path', /^(?:\/(?!\.\.?(?:\/|$))[-.\w]+)+$/);
    // The manifests mount it as the writable folder.
    if (path === '/tmp') throw invalid(`${fields.at('path')} cannot be /tmp, which the service writes to.`);
    return ended(fields, { ...sourceOf(fields), path });
  });
  if (new Set(found.map(({ path }) => path)).size < found.length) {
    throw invalid('deploy.kubernetes.files contains the same path twice.');
  }
  return found;
}

function sourceOf(fields: Fields): Source {
  const kinds = (['secret', 'configMap'] as const).filter((kind) => fields.has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) throw invalid(`${fields.at()} must have either secret or configMap.`);
  return { kind, name: matching(fields, kind, /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/) };
}

function matching(fields: Fields, name: string, pattern: RegExp): string {
  const text = fields.text(name);
  if (pattern.test(text)) return text;
  throw invalid(`${fields.at(name)} is not valid in Kubernetes: "${text}".`);
}

function ended<T>(fields: Fields, value: T): T {
  fields.end();
  return value;
}

function invalid(message: string): DeployError {
  return new DeployError('invalid', message);
}
