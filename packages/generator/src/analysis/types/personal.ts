import type { PropertyModel } from '../../model/index.js';
import type { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import { readConstraints } from './constraints.js';
import type { Site } from './draft.js';

/** The property that names the subject of a personal value; null: it is not personal. */
export function subjectOf(type: ts.Type, compilation: Compilation): string | null {
  const parts = type.isUnion() ? type.types : [type];
  for (const part of parts) {
    const { personal } = part.isIntersection() ? readConstraints(part.types, compilation, null) : {};
    if (personal !== undefined) return personal;
  }
  return null;
}

/** Reports personal properties whose subject is not a required text of the same object. */
export function checkSubjects(properties: readonly PropertyModel[], site: Site): void {
  for (const { name, personal } of properties) {
    if (personal === undefined) continue;
    const subject = properties.find((property) => property.name === personal);
    const isText = subject?.type.kind === 'string' && subject.presence !== 'optional' && subject.personal === undefined;
    if (!isText) site.scope.report(site, 'SVC1040', `${site.where}.${name}`, personal);
  }
}
