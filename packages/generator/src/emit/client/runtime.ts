import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package-folder.js';

/** The parts of a client that are the same for every service, in the order in which they appear. */
const parts = [
  'create-client',
  'options',
  'errors',
  'scalars',
  'commands',
  'models',
  'reads',
  'send',
  'connection',
  'paths',
];

/** What callers use. Everything else is not exported. */
const exported: ReadonlySet<string> = new Set([
  'Client',
  'ClientOptions',
  'CommandOperation',
  'CommandOptions',
  'Condition',
  'Connection',
  'createClient',
  'Decimal',
  'decimal',
  'Failure',
  'Issue',
  'ListQuery',
  'Models',
  'ModelsQuery',
  'Operation',
  'Operations',
  'Page',
  'ProblemType',
  'ReadOptions',
  'RequestError',
  'RequestHeaders',
  'Result',
  'resultOf',
  'Uuid',
  'uuid',
]);

const declaration = /^(?:export )?(?:declare )?(?:async )?(?:class|const|function|interface|type) (\w+)/gm;

/** The runtime of a client as one text without imports. */
export interface Runtime {
  readonly text: string;
  /** Everything that it declares. */
  readonly names: ReadonlySet<string>;
}

let loaded: Runtime | undefined;

/** Reads the parts from `templates/client`. */
export function clientRuntime(): Runtime {
  return (loaded ??= load());
}

function load(): Runtime {
  const sources = parts.map((part) => {
    const source = readFileSync(join(packageFolder, 'templates/client', `${part}.ts`), 'utf8');
    return source.replace(/^import [^;]*;\n/gm, '').trim();
  });
  const text = sources.join('\n\n').replace(declaration, (line, name: string) => {
    return exported.has(name) ? line : line.replace('export ', '');
  });
  return { text, names: new Set([...text.matchAll(declaration)].map(([, name]) => name!)) };
}
