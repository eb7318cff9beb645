import { readFileSync } from 'node:fs';
import { ExitCode, type Terminal } from './terminal.js';

const help = `svc <command>

  new            create a service in a new folder
  add            write a command, perspective, reaction or process, and its test
  dev            run a service, and build and restart it at every change
  generate       write the endpoints, readers, writers and registry of a service
  migrate        show and update the schema of a database, roll back a migration
  database       separate the role that a service runs as from the owner of the log
  perspectives   show the state of perspectives, rebuild them, retry stopped streams
  reactions      show the state of reactions, retry, skip, pause, resume
  processes      show the instances of processes and their history
  dead-letters   show, replay or discard dead-lettered messages
  schedule       show scheduled and recurring commands, cancel them, run them now
  archive        move the bodies of old events into files
  audit          query and follow the audit, prove that no event was changed, export sealed events
  erase          erase the personal data of a subject
  subject        export the personal data of a subject
  deploy         roll out a version (canary, blue-green, rolling, recreate), roll back, check

Run svc <command> --help for details.`;

/** Runs the `svc` command and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [command, ...rest] = args;
  switch (command) {
    // Loaded on demand: the compiler and the Kubernetes client are large.
    case 'new': {
      const { newService } = await import('@svc/create');
      return await newService(rest, terminal);
    }
    case 'dev': {
      const { dev } = await import('./dev/dev.js');
      return await dev(rest, terminal);
    }
    case 'add': {
      const { add } = await import('./add/add.js');
      return await add(rest, terminal);
    }
    case 'generate': {
      const { generate, generateHelp } = await import('./generate.js');
      return rest.includes('--help') ? print(generateHelp, terminal) : await generate(rest, terminal);
    }
    case 'migrate': {
      const { migrate } = await import('./migrate/migrate.js');
      return await migrate(rest, terminal);
    }
    case 'database': {
      const { database } = await import('./roles/database.js');
      return await database(rest, terminal);
    }
    case 'perspectives': {
      const { perspectives } = await import('./perspectives/perspectives.js');
      return await perspectives(rest, terminal);
    }
    case 'reactions': {
      const { reactions } = await import('./reactions/reactions.js');
      return await reactions(rest, terminal);
    }
    case 'processes': {
      const { processes } = await import('./processes/processes.js');
      return await processes(rest, terminal);
    }
    case 'dead-letters': {
      const { deadLetters } = await import('./dead-letters/dead-letters.js');
      return await deadLetters(rest, terminal);
    }
    case 'schedule': {
      const { schedule } = await import('./schedule/schedule.js');
      return await schedule(rest, terminal);
    }
    case 'archive': {
      const { archive } = await import('./archive/archive.js');
      return await archive(rest, terminal);
    }
    case 'erase': {
      const { erase } = await import('./subjects/erase.js');
      return await erase(rest, terminal);
    }
    case 'subject': {
      const { subject } = await import('./subjects/subject.js');
      return await subject(rest, terminal);
    }
    case 'audit': {
      const { audit } = await import('./audit/audit.js');
      return await audit(rest, terminal);
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
      terminal.error(`Unknown command "${command}".\n\n${help}`);
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
