import { DeployError } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { blueGreen } from './blue-green.js';
import { canary } from './canary.js';
import { check } from './check.js';
import { deployHelp } from './help.js';
import { install, scale } from './instances.js';
import { manifests } from './manifests.js';
import { haproxySetup } from './haproxy-setup.js';
import { recreate, rolling } from './replacement.js';
import { rollBack } from './roll-back.js';
import { status } from './status.js';

type Subcommand = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

const subcommands: Readonly<Record<string, Subcommand>> = {
  canary,
  'blue-green': blueGreen,
  rolling,
  recreate,
  rollback: rollBack,
  install,
  scale,
  status,
  check,
  manifests,
  'haproxy-config': haproxySetup,
};

export async function deploy(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help')) {
    terminal.out(deployHelp);
    return ExitCode.ok;
  }
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    terminal.error(`Unknown command "svc deploy ${name}".\n\n${deployHelp}`);
    return ExitCode.usage;
  }
  try {
    return await subcommand(rest, terminal);
  } catch (error) {
    if (error instanceof DeployError) {
      terminal.error(error.message);
      if (error.code === 'invalid') return ExitCode.usage;
      return error.code === 'unreachable' ? ExitCode.unreachable : ExitCode.failed;
    }
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      terminal.error(`${error.message}\n\nRun svc deploy --help for details.`);
      return ExitCode.usage;
    }
    if (error instanceof Error && error.name === 'AbortError') {
      terminal.error('Interrupted.');
      return ExitCode.interrupted;
    }
    throw error;
  }
}
