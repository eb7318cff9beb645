/** Who may import whom, as the Mermaid diagram of docs/architecture.md. */
import { packages } from './layers.mjs';

/** An arrow from each package to the entry points that it may import. Packages that import none are nodes. */
export function importDiagram() {
  const lines = Object.entries(packages).flatMap(([name, { packages: imported }]) =>
    imported.length === 0 ? [`  ${name}`] : imported.map((entryPoint) => `  ${name} --> ${nodeOf(entryPoint)}`),
  );
  return ['```mermaid', 'flowchart LR', ...lines, '```'].join('\n');
}

function nodeOf(entryPoint) {
  return entryPoint.includes('/') ? `${entryPoint.replace('/', '_')}["${entryPoint}"]` : entryPoint;
}
