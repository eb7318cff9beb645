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
  'document-types',
  'documents',
  'subscriptions',
  'graphql-errors',
  'live',
  'live-changes',
  'live-steps',
  'following',
  'event-stream',
  'server-events',
  'reads',
  'send',
  'connection',
  'paths',
];

/** What callers use. Everything else is not exported, except what a service may not need: compilers report it as unused. */
const exported: ReadonlySet<string> = new Set([
  'Client',
  'ClientOptions',
  'command',
  'CommandOperation',
  'CommandOptions',
  'Condition',
  'Connection',
  'createClient',
  'Decimal',
  'decimal',
  'DocumentArguments',
  'Failure',
  'GraphQLDocument',
  'GraphQLFailure',
  'GraphQLRequestError',
  'Issue',
  'ListQuery',
  'live',
  'LiveChange',
  'LiveModel',
  'LiveModels',
  'LiveOperation',
  'LiveWatch',
  'Models',
  'models',
  'ModelsOperation',
  'ModelsQuery',
  'mutate',
  'MutationDocument',
  'Operation',
  'Operations',
  'Page',
  'ProblemType',
  'query',
  'QueryDocument',
  'ReadOptions',
  'RequestError',
  'RequestHeaders',
  'Result',
  'resultOf',
  'RunMutation',
  'RunQuery',
  'RunSubscription',
  'subscribe',
  'SubscriptionDocument',
  'Uuid',
  'uuid',
]);

const keywords: ReadonlySet<string> = new Set(['class', 'const', 'function', 'function*', 'interface', 'type']);

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
  const names = new Set<string>();
  const sources = parts.map((part) => {
    const lines = readFileSync(join(packageFolder, 'templates/client', `${part}.ts`), 'utf8').split('\n');
    const own = lines.filter((line) => !line.startsWith('import '));
    return own
      .map((line) => {
        const name = declaredName(line);
        if (name === null) return line;
        names.add(name);
        return exported.has(name) ? line : line.replace('export ', '');
      })
      .join('\n')
      .trim();
  });
  return { text: sources.join('\n\n'), names };
}

/** The name that a line at the top of a module declares: `createClient` of `export function createClient<T>(`. */
function declaredName(line: string): string | null {
  const words = line.split(' ').filter((word) => !['async', 'declare', 'export'].includes(word));
  if (!keywords.has(words[0] ?? '')) return null;
  return /^\w+/.exec(words[1] ?? '')?.[0] ?? null;
}
