import { writeFile } from 'node:fs/promises';
import { createStateFolder, DeployError, haproxyConfig } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';
import { configOf } from './arguments.js';

/** Prints or writes the HAProxy configuration and creates the two files that it includes. */
export async function haproxySetup(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const { service, header, haproxy } = await configOf(call);
  if (haproxy === null) throw new DeployError('invalid', 'deploy.json has no "haproxy" section.');
  await createStateFolder(service, haproxy);
  const text = haproxyConfig(service, header, haproxy);
  const file = options.text('out');
  if (file !== undefined) await writeFile(file, text);
  if (json) terminal.out(JSON.stringify(file === undefined ? { config: text } : { file }));
  else if (file === undefined) terminal.out(text);
  return ExitCode.ok;
}
