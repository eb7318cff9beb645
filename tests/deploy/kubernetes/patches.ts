import type { Kubernetes } from './rollout.js';

type Json = Record<string, unknown>;

/** Applies a patch by its content type, as the API server would for the objects that deployments change. */
export function applyPatch(object: Kubernetes, body: unknown, type: string): Kubernetes {
  if (type.startsWith('application/json-patch+json')) return jsonPatch(object, body as Operation[]);
  const isStrategic = type.startsWith('application/strategic-merge-patch+json');
  return merged(object, body, isStrategic) as Kubernetes;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

function jsonPatch(object: Kubernetes, operations: readonly Operation[]): Kubernetes {
  const result = structuredClone(object) as unknown as Json;
  for (const { op, path, value } of operations) {
    if (op !== 'replace') throw new Error(`no ${op} here`);
    const keys = path.slice(1).split('/');
    const last = keys.pop()!;
    const parent = keys.reduce((part, key) => part[key] as Json, result);
    parent[last] = value;
  }
  return result as unknown as Kubernetes;
}

function merged(target: unknown, patch: unknown, isStrategic: boolean): unknown {
  if (Array.isArray(patch)) {
    return isStrategic && Array.isArray(target) ? mergedByName(target as Json[], patch as Json[]) : patch;
  }
  if (typeof patch !== 'object' || patch === null) return patch;
  const result: Json = { ...(typeof target === 'object' && target !== null ? (target as Json) : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value, isStrategic);
  }
  return result;
}

/** Containers, ports and the like are told apart by their names. */
function mergedByName(target: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const changed = target.map((item) => {
    const change = patch.find(({ name }) => name === item['name']);
    return change === undefined ? item : (merged(item, change, true) as Json);
  });
  return [...changed, ...patch.filter(({ name }) => !target.some((item) => item['name'] === name))];
}
