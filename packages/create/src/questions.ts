import { createInterface } from 'node:readline';
import { choice, type NewArguments } from './arguments.js';
import { authentications, databases, type ServiceOptions } from './options.js';

/** Where questions are asked. */
export interface QuestionStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

const defaults = { database: 'sqlite', authentication: 'none' } as const;

/** Asks for what the arguments do not say. Without a terminal, or with `--yes`, the defaults decide. */
export async function optionsFrom(args: NewArguments, { input, output }: QuestionStreams): Promise<ServiceOptions> {
  const { database, authentication, graphql, broker } = args;
  const isAsked = !args.yes && !args.json && input.isTTY === true && output.isTTY === true;
  if (!isAsked || (database !== undefined && authentication !== undefined)) {
    return {
      database: database ?? defaults.database,
      authentication: authentication ?? defaults.authentication,
      graphql,
      broker,
    };
  }
  const lines = createInterface({ input, output });
  // An iterator, because lines that were typed in advance must not be lost.
  const answers = lines[Symbol.asyncIterator]();
  const ask = async <T extends string>(question: string, choices: readonly T[], preset: T): Promise<T> => {
    for (;;) {
      output.write(`${question} (${choices.join(', ')}) [${preset}]: `);
      const { value, done = false } = await answers.next();
      if (done) throw new Error('The input ended before the last answer. Answer with flags, or pass --yes.');
      const answer = value.trim().toLowerCase();
      if (answer === '') return preset;
      try {
        return choice('The answer', answer, choices);
      } catch (error) {
        output.write(`${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  };
  try {
    return {
      database: database ?? (await ask('Database', databases, defaults.database)),
      authentication: authentication ?? (await ask('Authentication', authentications, defaults.authentication)),
      graphql,
      broker,
    };
  } finally {
    lines.close();
  }
}
