import { basename, relative, resolve } from 'node:path';
import { readArguments, type NewArguments } from './arguments.js';
import { folderProblem, writeFiles } from './new-folder.js';
import { conditionsOf, type ServiceOptions } from './options.js';
import { optionsFrom, type QuestionStreams } from './questions.js';
import { nameProblem } from './service-name.js';
import { filesOf } from './template-files.js';

/** Where the command prints. */
export interface Output {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** 0: created; 1: it could not be; 2: the arguments are invalid. */
export type NewServiceCode = 0 | 1 | 2;

export const newServiceHelp = `svc new <folder> [--yes] [--database sqlite|postgres] [--auth none|jwt] [--graphql] [--broker] [--json]

Creates a service in a new or empty folder. The name of the folder is the name of the service. On a terminal, the command asks for the database and the
authentication unless they are given. "npm create @svc@latest <folder>" does the same.

  --yes                         use the defaults instead of asking
  --database sqlite|postgres    where events are stored (default: sqlite)
  --auth none|jwt               how callers authenticate (default: none)
  --graphql                     serve GraphQL in addition to REST
  --broker                      exchange events with other hosts over RabbitMQ
  --json                        print what was created as JSON, and ask nothing

Examples:
  svc new library
  svc new library --database postgres --auth jwt --graphql`;

/** Creates a service as the arguments say; the command of `npm create @svc` and `svc new`. */
export async function newService(
  args: readonly string[],
  output: Output,
  streams: QuestionStreams = { input: process.stdin, output: process.stdout },
): Promise<NewServiceCode> {
  let read: NewArguments;
  try {
    read = readArguments(args);
  } catch (error) {
    return reject(`${messageOf(error)}\n\n${newServiceHelp}`, output);
  }
  if (read.help) {
    output.out(newServiceHelp);
    return 0;
  }
  if (read.folder === undefined) return reject(`The folder is missing.\n\n${newServiceHelp}`, output);
  const folder = resolve(read.folder);
  const name = basename(folder);
  try {
    const problem = nameProblem(name) ?? folderProblem(folder);
    if (problem !== null) return reject(problem, output);
    const options = await optionsFrom(read, streams);
    const files = filesOf(name, options);
    writeFiles(folder, files);
    if (read.json) output.out(JSON.stringify({ name, folder, files: [...files.keys()] }));
    else output.out(`Created ${name}: ${files.size} files.\n\nNext:\n${nextSteps(folder, options)}`);
    return 0;
  } catch (error) {
    output.error(`Cannot create ${folder}: ${messageOf(error)}`);
    return 1;
  }
}

function nextSteps(folder: string, options: ServiceOptions): string {
  const path = relative(process.cwd(), folder);
  const steps = [
    ...(path === '' ? [] : [`cd ${path}`]),
    'npm install',
    ...(conditionsOf(options).has('compose') ? ['docker compose up -d --wait'] : []),
    'npm run dev',
  ];
  return steps.map((step) => `  ${step}`).join('\n');
}

function reject(reason: string, output: Output): NewServiceCode {
  output.error(reason);
  return 2;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
