import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { interruptible } from '../interruption.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { DevSession } from './dev-session.js';
import { openPage, readKeys } from './keys.js';

const devHelp = `svc dev [--project <folder>]

Generates, compiles and runs a service, and does so again at every change. While the code does not compile, the last build keeps running. Shows requests
and appended events, without their bodies. Variables in .env are set for the service.

Keys: o opens the API documentation, r restarts the service, q quits.

  --project <folder>  the folder of the service's package.json (default: the current folder)`;

export async function dev(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let folder: string;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { project: { type: 'string', default: '.' }, help: { type: 'boolean', default: false } },
    });
    if (values.help) {
      terminal.out(devHelp);
      return ExitCode.ok;
    }
    folder = resolve(values.project);
  } catch (error) {
    terminal.error(`${messageOf(error)}\n\n${devHelp}`);
    return ExitCode.usage;
  }
  let session: DevSession;
  try {
    session = new DevSession(folder, terminal);
  } catch (error) {
    terminal.error(messageOf(error));
    return ExitCode.failed;
  }
  await interruptible((interrupted) => runWithKeys(session, terminal, interrupted));
  return ExitCode.ok;
}

async function runWithKeys(session: DevSession, terminal: Terminal, interrupted: AbortSignal): Promise<void> {
  const quit = new AbortController();
  const stopReading = readKeys({
    open: () => {
      const { docs } = session;
      if (docs === null) terminal.error('The service serves no API documentation.');
      else openPage(docs, () => terminal.error(`Cannot start a browser. Open ${docs}.`));
    },
    restart: () => session.restart(),
    quit: () => quit.abort(),
  });
  if (process.stdin.isTTY) terminal.out('Press o to open the API documentation, r to restart, q to quit.');
  try {
    await session.run(AbortSignal.any([interrupted, quit.signal]));
  } finally {
    stopReading();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
