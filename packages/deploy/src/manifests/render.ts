import { stringify } from 'yaml';
import type { Manifest } from './validation.js';

/** One YAML file with several documents, for `kubectl apply -f`. */
export function render(manifests: readonly Manifest[]): string {
  const documents = manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }));
  return `# Written by svc deploy manifests.\n${documents.join('---\n')}`;
}
