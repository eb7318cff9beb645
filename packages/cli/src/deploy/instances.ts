import { installInto, platformOf, scaleTo } from '@svc/deploy';
import { counted } from '../counted.js';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';
import { configOf, countOf, environmentOf, givenCount, versionOf } from './arguments.js';
import { interruptible } from '../interruption.js';

const readyMs = 300_000;

export async function install(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const environment = environmentOf(options.text('environment'));
  const version = versionOf(options.text('version'));
  const config = await configOf(call);
  const instances = givenCount(call, 'instances') ?? config.instances;
  const platform = await platformOf(config);
  const status = await interruptible((signal) =>
    installInto(platform, { environment, version, instances }, { limitMs: readyMs, pollMs: 200, signal }),
  );
  terminal.out(
    json ? JSON.stringify({ environment, ...status }) : `${environment}: ${version}, ${status.ready} ready.`,
  );
  return ExitCode.ok;
}

export async function scale(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const environment = environmentOf(options.text('environment'));
  const instances = countOf(options.text('instances') ?? '', 'instances');
  const platform = await platformOf(await configOf(call));
  await scaleTo(platform, environment, instances);
  terminal.out(
    json ? JSON.stringify({ environment, instances }) : `${environment}: ${counted(instances, 'instance')}.`,
  );
  return ExitCode.ok;
}
