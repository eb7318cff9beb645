import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Project } from './analysis/index.js';
import type { Diagnostic } from './diagnostics/index.js';

/**
 * Reads the generator's configuration from a service's package.json: `"svc": { "namespace", "source", "tsconfig", "client" }`, all
 * optional. Defaults: the package's name without its scope, `src`, `tsconfig.json`, no client.
 *
 * @param clientFolder where the client is generated, instead of the setting
 */
export function loadProject(directory: string, clientFolder?: string): Project | Diagnostic {
  const absolute = resolve(directory);
  let settings: Settings;
  try {
    settings = readSettings(join(absolute, 'package.json'));
  } catch (error) {
    return problem(
      `Cannot read package.json (${messageOf(error)}). Run svc in the folder of a service, or pass --project <folder>.`,
    );
  }
  const { namespace, source, tsconfig, client } = settings;
  const folder = clientFolder ?? (client === null ? null : resolve(absolute, client));
  if (!/^[A-Za-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*$/.test(namespace)) {
    return problem(
      `"${namespace}" is not a valid namespace of message types. Set "svc": { "namespace": "…" } to words of letters and digits, joined by dots or hyphens.`,
    );
  }
  return {
    directory: absolute,
    namespace,
    sourceRoot: resolve(absolute, source),
    tsconfig: resolve(absolute, tsconfig),
    client: folder === null ? null : resolve(folder, `${namespace}-client.ts`),
  };
}

interface Settings {
  readonly namespace: string;
  readonly source: string;
  readonly tsconfig: string;
  readonly client: string | null;
}

function readSettings(path: string): Settings {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const manifest = isRecord(content) ? content : {};
  const own = isRecord(manifest['svc']) ? manifest['svc'] : {};
  const name = textOf(manifest['name'], 'service').replace(/^@[^/]*\//, '');
  return {
    namespace: textOf(own['namespace'], name),
    source: textOf(own['source'], 'src'),
    tsconfig: textOf(own['tsconfig'], 'tsconfig.json'),
    client: textOf(own['client'], null),
  };
}

function problem(message: string): Diagnostic {
  return { code: 'SVC1402', file: 'package.json', line: 1, column: 1, message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf<T extends string | null>(value: unknown, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
