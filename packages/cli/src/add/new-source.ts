import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageFolder } from '../package-folder.js';
import type { Kind } from './kinds.js';

const templates = join(packageFolder, 'templates/add');

/** A source and its test: paths relative to the source folder, with `/`. */
export interface NewSource {
  readonly path: string;
  readonly text: string;
}

/** The file of a new class and its test. `folder` is relative to the source folder, '' for the source folder itself. */
export function newSources(kind: Kind, name: string, folder: string, namespace: string): readonly NewSource[] {
  const file = kebabCase(name);
  const registry = `${posix.relative(folder, '') || '.'}/generated/registry.js`;
  return ['.ts', '.test.ts'].map((ending) => ({
    path: posix.join(folder, file + ending),
    text: readFileSync(join(templates, kind + ending), 'utf8')
      .replaceAll('TemplateName', name)
      .replaceAll('template-name', file)
      .replaceAll('template-service', namespace)
      .replaceAll('./generated/registry.js', registry),
  }));
}

/** `return-book` for `ReturnBook`. */
function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
