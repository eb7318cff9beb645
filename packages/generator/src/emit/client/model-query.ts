import type { PerspectiveModel, TypeModel } from '../../model/index.js';
import { propertyKey, quoted } from '../source-file.js';
import type { TypeIndex } from '../type-index.js';
import type { ClientTypes } from './client-types.js';

/** The type of the filters of a perspective: its key and its indexed properties. */
export function whereType(name: string, perspective: PerspectiveModel, types: TypeIndex, texts: ClientTypes): string {
  const conditions = perspective.columns.map(({ name: column }) => {
    const values = new Set(propertyTypes(perspective.model, column, types).map((type) => texts.of(withoutNull(type))));
    return `  readonly ${propertyKey(column)}?: Condition<${[...values].join(' | ')}> | undefined;\n`;
  });
  return `export interface ${name} {\n  readonly key?: Condition<string> | undefined;\n${conditions.join('')}}`;
}

/** The type of the sort order of a perspective. */
export function sortType(name: string, { columns }: PerspectiveModel): string {
  const sorts = ['key', ...columns.map((column) => column.name)].flatMap((column) => [column, `-${column}`]);
  return `export type ${name} = ${sorts.map(quoted).join(' | ')};`;
}

/** A property of a model; of a union, that of each object that has it. */
function propertyTypes(model: TypeModel, property: string, types: TypeIndex): TypeModel[] {
  const type = resolved(model, types);
  if (type.kind === 'tagged') return type.arms.flatMap((arm) => propertyTypes(arm.type, property, types));
  if (type.kind !== 'object') return [];
  return type.properties.filter(({ name }) => name === property).map((found) => found.type);
}

function resolved(type: TypeModel, types: TypeIndex): TypeModel {
  return type.kind === 'ref' ? types.get(type.id).type : type;
}

function withoutNull(type: TypeModel): TypeModel {
  return type.kind === 'nullable' ? type.type : type;
}
