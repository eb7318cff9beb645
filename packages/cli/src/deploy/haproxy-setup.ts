import { mkdir, writeFile } from 'node:fs/promises';
import { DeployError, forcedMap, forcedMapText, haproxyConfig } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, parse } from './arguments.js';

/** Prints or writes HAProxy's configuration, and makes the two files that it reads beside it. */
export async function haproxySetup(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, { out: { type: 'string' } } as const);
  const { service, header, haproxy } = await configOf(values);
  if (haproxy === null) throw new DeployError('invalid', 'deploy.json names no haproxy.');
  await mkdir(haproxy.state, { recursive: true });
  // A canary that is under way has its own there already.
  await writeFile(forcedMap(haproxy), forcedMapText(service), { flag: 'wx' }).catch(unlessThere);
  // HAProxy reads it at its start, and warns when it is missing or does not say which version of the format it has.
  await writeFile(`${haproxy.state}/servers`, '1\n', { flag: 'wx' }).catch(unlessThere);
  const text = haproxyConfig(service, header, haproxy);
  if (values.out === undefined) terminal.out(text);
  else await writeFile(values.out, text);
  return ExitCode.ok;
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
