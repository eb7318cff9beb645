import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeployError } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, parse, versionOf } from './arguments.js';

/** Prints the Kubernetes objects of a strategy or the Dockerfile of the image, or writes them to a folder. */
export async function manifests(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    strategy: { type: 'string', default: 'rolling' },
    version: { type: 'string' },
    out: { type: 'string' },
    dockerfile: { type: 'boolean', default: false },
  } as const);
  const { dockerfile, dockerignore, isStrategy, render, serviceManifests, strategies } =
    await import('@svc/deploy/manifests');
  if (values.dockerfile) {
    await output(values.out, 'Dockerfile', dockerfile(), terminal);
    if (values.out !== undefined) await output(values.out, '.dockerignore', dockerignore(), terminal);
    return ExitCode.ok;
  }
  const { strategy } = values;
  if (!isStrategy(strategy)) throw new DeployError('invalid', `--strategy must be one of ${strategies.join(', ')}.`);
  const config = await configOf(values);
  const objects = serviceManifests(config, { strategy, version: versionOf(values.version) });
  const text = values.json
    ? JSON.stringify({ kind: 'List', apiVersion: 'v1', items: objects }, null, 2)
    : render(objects);
  await output(values.out, values.json ? `${config.service}.json` : `${config.service}.yaml`, text, terminal);
  return ExitCode.ok;
}

async function output(folder: string | undefined, name: string, text: string, terminal: Terminal): Promise<void> {
  if (folder === undefined) return terminal.out(text);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  terminal.out(join(folder, name));
}
