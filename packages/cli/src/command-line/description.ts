/** What a command is called, takes, prints and returns. Help, parsing, suggestions, completion and the reference page come from it. */
import type { ExitCode, Terminal } from '../terminal.js';
import type { Options } from './options.js';

export interface CommandDescription {
  /** Paragraphs below the usage. */
  readonly details?: readonly string[];
  /** The arguments in their order, by name. */
  readonly arguments?: Readonly<Record<string, ArgumentDescription>>;
  /** The options by name, without dashes. `--help` and `--json` are added. */
  readonly options?: Readonly<Record<string, OptionDescription>>;
  /** What a command line does, by command line. */
  readonly examples: Readonly<Record<string, string>>;
  readonly exitCodes: ExitCodes;
  /** What `--json` prints; null: the command has no `--json`. */
  readonly json: string | null;
  /** Loads the code of the command, which can be large. */
  readonly load: () => Promise<Run>;
}

export interface SubcommandDescription extends CommandDescription {
  /** Completes "svc … will": one line, without a full stop. */
  readonly summary: string;
}

/** A command with subcommands. */
export interface GroupDescription {
  readonly details?: readonly string[];
  readonly commands: Readonly<Record<string, SubcommandDescription>>;
}

export interface ArgumentDescription {
  readonly summary: string;
  readonly isOptional?: boolean;
  /** Whether it can be given several times. Only the last argument can. */
  readonly isRepeated?: boolean;
  /** The possible values, for completion. */
  readonly values?: readonly string[];
}

export interface OptionDescription {
  readonly summary: string;
  /** The placeholder of its value, such as `<file>`. Absent: it is a flag. */
  readonly value?: string;
  /** The possible values, for completion. */
  readonly values?: readonly string[];
  readonly default?: string;
  /** Whether it can be given several times. */
  readonly isRepeated?: boolean;
}

/** The meaning of each exit code that a command has. */
export type ExitCodes = Readonly<Partial<Record<ExitCode, string>>>;

/** A parsed command line. */
export interface Call {
  /** The command, such as `perspectives list`. */
  readonly path: string;
  /** The arguments after the path as they were given, for a command that parses them itself. */
  readonly args: readonly string[];
  readonly options: Options;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
}

export type Run = (call: Call) => Promise<ExitCode>;

/** An entry of the list of commands. The description is loaded when it is needed. */
export interface ListedCommand {
  readonly summary: string;
  readonly describe: () => Promise<CommandDescription | GroupDescription>;
}
