import type { TypeModel } from '../model/index.js';
import type { ResultFact } from './facts.js';
import type { ModuleContext } from './module-context.js';

/** Whether a model or state is written as a JSON object. One that cannot be read has its own reports. */
export function isObject({ type, findings }: ResultFact, { program }: ModuleContext): boolean {
  const draft = type.kind === 'ref' ? program.types.drafts.get(type.id) : undefined;
  if (findings.length > 0 || (draft !== undefined && draft.findings.length > 0)) return true;
  return objectKinds.has((draft?.type ?? type).kind);
}

const objectKinds: ReadonlySet<TypeModel['kind']> = new Set(['object', 'tagged', 'record']);
