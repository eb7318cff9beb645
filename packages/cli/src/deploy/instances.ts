import { installInto, platformOf, scaleTo } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, environmentOf, parse, versionOf } from './arguments.js';
import { interruptible } from '../interruption.js';

const readyMs = 300_000;

export async function install(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    environment: { type: 'string' },
    version: { type: 'string' },
    instances: { type: 'string' },
  } as const);
  const environment = environmentOf(values.environment);
  const version = versionOf(values.version);
  const config = await configOf(values);
  const instances = values.instances === undefined ? config.instances : countOf(values.instances, 'instances');
  const platform = await platformOf(config);
  const status = await interruptible((signal) =>
    installInto(platform, { environment, version, instances }, { limitMs: readyMs, pollMs: 200, signal }),
  );
  terminal.out(
    values.json ? JSON.stringify({ environment, ...status }) : `${environment}: ${version}, ${status.ready} ready.`,
  );
  return ExitCode.ok;
}

export async function scale(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, { environment: { type: 'string' }, instances: { type: 'string' } } as const);
  const environment = environmentOf(values.environment);
  const instances = countOf(values.instances ?? '', 'instances');
  const platform = await platformOf(await configOf(values));
  await scaleTo(platform, environment, instances);
  terminal.out(values.json ? JSON.stringify({ environment, instances }) : `${environment}: ${instances} instances.`);
  return ExitCode.ok;
}
