import { writeFile } from 'node:fs/promises';
import { createStateFolder, DeployError, haproxyConfig } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, parse } from './arguments.js';

/** Prints or writes the HAProxy configuration and creates the two files that it includes. */
export async function haproxySetup(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, { out: { type: 'string' } } as const);
  const { service, header, haproxy } = await configOf(values);
  if (haproxy === null) throw new DeployError('invalid', 'deploy.json has no "haproxy" section.');
  await createStateFolder(service, haproxy);
  const text = haproxyConfig(service, header, haproxy);
  if (values.out === undefined) terminal.out(text);
  else await writeFile(values.out, text);
  return ExitCode.ok;
}
