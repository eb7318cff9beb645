import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutOtherLines } from './conditional-lines.js';
import { conditionsOf, type ServiceOptions } from './options.js';

const folder = fileURLToPath(new URL('../templates', import.meta.url));

/** The name in the templates, which the name of the service replaces. */
const templateName = 'template-service';

/** Files that only some services have, and the condition. */
const conditional: Readonly<Record<string, string>> = {
  'compose.yaml': 'compose',
  'token.mjs': 'jwt',
  'src/authentication.ts': 'jwt',
  'src/authentication.test.ts': 'jwt',
  'src/graphql.test.ts': 'graphql',
  'src/testing/test-token.ts': 'jwt',
  'src/transport.ts': 'broker',
};

/** Packages that only some services need, and the condition. */
const conditionalPackages: Readonly<Record<string, string>> = {
  '@svc/graphql': 'graphql',
  '@svc/postgres': 'postgres',
  '@svc/rabbitmq': 'broker',
  '@svc/sqlite': 'sqlite',
  graphql: 'graphql',
};

/** The files of a new service by path, with `/`. */
export function filesOf(name: string, options: ServiceOptions): ReadonlyMap<string, string> {
  const conditions = conditionsOf(options);
  const files = new Map<string, string>();
  for (const [path, text] of [...templates('service'), ...templates(options.database)]) {
    const condition = conditional[path];
    if (condition !== undefined && !conditions.has(condition)) continue;
    const content = path === 'package.json' ? manifest(text, conditions) : withoutOtherLines(text, conditions);
    // npm does not pack files of this name.
    files.set(path === '_gitignore' ? '.gitignore' : path, content.replaceAll(templateName, name));
  }
  const variables = variablesOf(name, conditions);
  if (variables.length > 0) files.set('.env', `${variables.join('\n')}\n`);
  return files;
}

/** The lines of `.env`, which `svc dev` and the commands for operators read. The servers are those of `compose.yaml`. */
function variablesOf(name: string, conditions: ReadonlySet<string>): readonly string[] {
  const lines: string[] = [];
  if (conditions.has('postgres')) lines.push(`DATABASE_URL=postgres://${name}:development@127.0.0.1:5432/${name}`);
  if (conditions.has('broker')) lines.push(`AMQP_URL=amqp://${name}:development@127.0.0.1:5672`);
  if (conditions.has('jwt')) lines.push(`AUTH_SECRET=${randomBytes(32).toString('base64url')}`);
  return lines;
}

function* templates(name: string): Generator<[path: string, text: string]> {
  const root = join(folder, name);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield [relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')];
  }
}

interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function manifest(text: string, conditions: ReadonlySet<string>): string {
  const content = JSON.parse(text) as Manifest;
  const packages = (all: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([name]) => conditionalPackages[name] === undefined || conditions.has(conditionalPackages[name]))
        .map(([name, version]) => [name, name.startsWith('@svc/') ? `^${ownVersion()}` : version]),
    );
  const scripts = Object.entries(content.scripts).filter(([name]) => name !== 'token' || conditions.has('jwt'));
  const changed: Manifest = {
    ...content,
    scripts: Object.fromEntries(scripts),
    dependencies: packages(content.dependencies),
    devDependencies: packages(content.devDependencies),
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

/** All packages of svc have the same version. */
function ownVersion(): string {
  const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return own.version;
}
