import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Project } from './analysis/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import { settingsFaults } from './project-settings.js';

/** What a command line says instead of the settings. */
export interface ProjectOverrides {
  /** Where the client is generated. */
  readonly client?: string | undefined;
  /** The folders with GraphQL documents of callers. */
  readonly documents?: readonly string[] | undefined;
}

/**
 * Reads the generator's configuration from a service's package.json: `"svc": { "namespace", "source", "tsconfig", "client",
 * "documents" }`, all optional. Defaults: the package's name without its scope, `src`, `tsconfig.json`, no client, no documents.
 */
export function loadProject(directory: string, overrides: ProjectOverrides = {}): Project | Diagnostic {
  const absolute = resolve(directory);
  let manifest: Record<string, unknown>;
  try {
    const content: unknown = JSON.parse(readFileSync(join(absolute, 'package.json'), 'utf8'));
    manifest = isRecord(content) ? content : {};
  } catch (error) {
    return problem(
      `Cannot read package.json (${messageOf(error)}). Run svc in the folder of a service, or pass --project <folder>.`,
    );
  }
  const faults = settingsFaults(manifest['svc']);
  if (faults.length > 0) return problem(faults.join(' '));
  const name = textOf(manifest['name'], '');
  const settings = settingsOf(name, isRecord(manifest['svc']) ? manifest['svc'] : {});
  const { namespace, tsconfig } = settings;
  const client = overrides.client ?? (settings.client === null ? null : resolve(absolute, settings.client));
  const folders = overrides.documents ?? settings.documents.map((folder) => resolve(absolute, folder));
  const sourceRoot = resolve(absolute, settings.source);
  if (!/^[A-Za-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*$/.test(namespace)) {
    return problem(
      `"${namespace}" is not a valid namespace of message types. Set "svc": { "namespace": "…" } to words of letters and digits, joined by dots or hyphens.`,
    );
  }
  if (isReserved(namespace) && name !== '@svc/core') {
    return problem(
      `The namespace "${namespace}" is reserved for the messages of svc. Set "svc": { "namespace": "…" } to another one, such as the name of the service.`,
    );
  }
  if (!existsSync(sourceRoot)) {
    return problem(
      `The folder ${sourceRoot} of the sources does not exist. Create it, or set "svc": { "source": "…" } to the folder of the sources.`,
    );
  }
  if (folders.length > 0 && client === null) {
    return problem('Typed documents are part of the client. Set "svc": { "client": "…" }, or pass --client <folder>.');
  }
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) {
    return problem(
      `The folder ${missing} does not exist. Fix "svc": { "documents": "…" } or --documents: folders with GraphQL documents of callers.`,
    );
  }
  return {
    directory: absolute,
    namespace,
    sourceRoot,
    tsconfig: resolve(absolute, tsconfig),
    client: client === null ? null : resolve(client, `${namespace}-client.ts`),
    documents:
      folders.length === 0
        ? null
        : { folders: folders.map((folder) => resolve(folder)), file: resolve(client!, `${namespace}-documents.ts`) },
  };
}

interface Settings {
  readonly namespace: string;
  readonly source: string;
  readonly tsconfig: string;
  readonly client: string | null;
  readonly documents: readonly string[];
}

function settingsOf(name: string, own: Record<string, unknown>): Settings {
  return {
    namespace: textOf(own['namespace'], name === '' ? 'service' : name.replace(/^@[^/]*\//, '')),
    source: textOf(own['source'], 'src'),
    tsconfig: textOf(own['tsconfig'], 'tsconfig.json'),
    client: textOf(own['client'], null),
    documents: [own['documents']].flat().filter((folder) => typeof folder === 'string'),
  };
}

/** Types that start with `svc.` are system events. */
function isReserved(namespace: string): boolean {
  return namespace === 'svc' || namespace.startsWith('svc.');
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
