import { resolve } from 'node:path';
import type { Call } from '../command-line/description.js';
import { Rejection } from '../failures.js';
import { interruptible } from '../interruption.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { DevSession } from './dev-session.js';
import { openPage, readKeys } from './keys.js';

export async function dev({ options, terminal }: Call): Promise<ExitCode> {
  let session: DevSession;
  try {
    session = new DevSession(resolve(options.defaulted('project')), terminal);
  } catch (error) {
    throw new Rejection(error instanceof Error ? error.message : String(error), ExitCode.failed, { cause: error });
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
