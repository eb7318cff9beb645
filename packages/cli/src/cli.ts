import { readFileSync } from 'node:fs';
import { generate, generateHelp } from './generate.js';
import { ExitCode, type Terminal } from './terminal.js';

const help = `svc <command>

  generate   write the endpoints, readers, writers and registry of a service

svc <command> --help tells more.`;

/** Runs the `svc` command and answers with its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [command, ...rest] = args;
  switch (command) {
    case 'generate':
      if (rest.includes('--help')) return print(generateHelp, terminal);
      return await generate(rest, terminal);
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
