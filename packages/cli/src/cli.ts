import { readFileSync } from 'node:fs';
import { ExitCode, type Terminal } from './terminal.js';

const help = `svc <command>

  generate       write the endpoints, readers, writers and registry of a service
  migrate        look at the schema of a database, bring it up to date, roll a migration back
  perspectives   see where perspectives stand, rebuild them, have them go on where they stopped
  dead-letters   see messages that were put aside, replay or discard them
  deploy         roll a version out (canary, blue-green, rolling, recreate), roll back, check

svc <command> --help tells more.`;

/** Runs the `svc` command and answers with its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [command, ...rest] = args;
  switch (command) {
    // Each command is loaded when it is asked for: the compiler and a cluster's client are large.
    case 'generate': {
      const { generate, generateHelp } = await import('./generate.js');
      return rest.includes('--help') ? print(generateHelp, terminal) : await generate(rest, terminal);
    }
    case 'migrate': {
      const { migrate } = await import('./migrate/migrate.js');
      return await migrate(rest, terminal);
    }
    case 'perspectives': {
      const { perspectives } = await import('./perspectives/perspectives.js');
      return await perspectives(rest, terminal);
    }
    case 'dead-letters': {
      const { deadLetters } = await import('./dead-letters/dead-letters.js');
      return await deadLetters(rest, terminal);
    }
    case 'deploy': {
      const { deploy } = await import('./deploy/deploy.js');
      return await deploy(rest, terminal);
    }
    case '--version':
      return print(version(), terminal);
    case undefined:
    case 'help':
    case '--help':
      return print(help, terminal);
    default:
      terminal.error(`svc has no command "${command}".\n\n${help}`);
      return ExitCode.usage;
  }
}

function print(text: string, terminal: Terminal): ExitCode {
  terminal.out(text);
  return ExitCode.ok;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
