import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeployError } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { Rejection } from '../failures.js';
import { ExitCode } from '../terminal.js';
import { configOf, versionOf } from './arguments.js';

/** Prints the Kubernetes objects of a strategy or the Dockerfile of the image, or writes them to a folder. */
export async function manifests(call: Call): Promise<ExitCode> {
  const { options, json } = call;
  const { dockerfile, dockerignore, isStrategy, render, serviceManifests, strategies } =
    await import('@svc/deploy/manifests');
  if (options.flag('dockerfile')) {
    const [image, ignored] = [dockerfile({ sqlite: usesOnlySqlite() }), dockerignore()];
    const text = json ? JSON.stringify({ dockerfile: image, dockerignore: ignored }, null, 2) : image;
    await requireUnchanged(options.text('out'), {
      Dockerfile: [dockerfile(), dockerfile({ sqlite: true })],
      '.dockerignore': [ignored],
    });
    return await output(call, { Dockerfile: image, '.dockerignore': ignored }, text);
  }
  const strategy = options.defaulted('strategy');
  if (!isStrategy(strategy)) throw new DeployError('invalid', `--strategy must be one of ${strategies.join(', ')}.`);
  const config = await configOf(call);
  const objects = serviceManifests(config, { strategy, version: versionOf(options.text('version')) });
  const text = json ? JSON.stringify({ kind: 'List', apiVersion: 'v1', items: objects }, null, 2) : render(objects);
  return await output(call, { [`${config.service}.${json ? 'json' : 'yaml'}`]: text }, text);
}

/** Whether the service in this folder has SQLite and no other database. Then its database is a file in `.svc`. */
function usesOnlySqlite(): boolean {
  if (!existsSync('package.json')) return false;
  const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const uses = (name: string): boolean => dependencies[name] !== undefined;
  return (uses('@svc/sqlite') || uses('@svc/sqlite-node20')) && !uses('@svc/postgres');
}

/** Rejects files that exist and have none of the contents that this command writes: you have written or changed them. */
async function requireUnchanged(
  folder: string | undefined,
  contents: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  if (folder === undefined) return;
  const changed: string[] = [];
  for (const [name, known] of Object.entries(contents)) {
    const path = join(folder, name);
    if (existsSync(path) && !known.includes(await readFile(path, 'utf8'))) changed.push(path);
  }
  if (changed.length === 0) return;
  const [what, fix] = changed.length === 1 ? ['exists and has', 'Remove it'] : ['exist and have', 'Remove them'];
  throw new Rejection(
    `${changed.join(' and ')} ${what} other content. Nothing was written. ${fix}, or pass another folder with --out.`,
  );
}

/** Writes the files to the folder given by `--out`, or prints the text. */
async function output(
  { options, json, terminal }: Call,
  files: Readonly<Record<string, string>>,
  text: string,
): Promise<ExitCode> {
  const folder = options.text('out');
  if (folder === undefined) {
    terminal.out(text);
    return ExitCode.ok;
  }
  await mkdir(folder, { recursive: true });
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  terminal.out(json ? JSON.stringify({ files: paths }) : paths.join('\n'));
  return ExitCode.ok;
}
