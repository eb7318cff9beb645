/** The help of commands as text. */
import type { CommandDescription, GroupDescription, ListedCommand } from './description.js';
import { allOptions } from './parse.js';

const width = 110;

export type Emphasis = (heading: string) => string;

/** A part of a help: a heading, and lines of a name and its explanation. */
export interface HelpTable {
  readonly heading: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** The help of a command. */
export interface HelpPage {
  readonly usage: string;
  readonly summary: string;
  readonly tables: readonly HelpTable[];
  readonly details: readonly string[];
  /** The last line. */
  readonly hint?: string;
}

/** The help of `svc` itself. */
export function listPage(commands: Readonly<Record<string, ListedCommand>>): HelpPage {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return {
    usage: 'svc <command>',
    summary: '',
    tables: [{ heading: 'Commands', rows }],
    details: [],
    hint: 'Run svc <command> --help for details, svc --version for the version, svc help --json for all commands as JSON.',
  };
}

export function groupPage(path: string, summary: string, { commands, details = [] }: GroupDescription): HelpPage {
  const entries = Object.entries(commands);
  const examples = entries.flatMap(([, command]) => Object.entries(command.examples).slice(0, 1));
  return {
    usage: `svc ${path} <command>`,
    summary,
    tables: [
      {
        heading: 'Commands',
        rows: entries.map(([name, command]) => [`${name}${argumentsOf(command)}`, command.summary]),
      },
      { heading: 'Examples', rows: examples },
    ],
    details,
    hint: `Run svc ${path} <command> --help for its options and exit codes.`,
  };
}

export function commandPage(path: string, summary: string, description: CommandDescription): HelpPage {
  const { arguments: taken = {}, examples, exitCodes, json, details = [] } = description;
  const rowsOfArguments = Object.entries(taken).map(([name, argument]) => [`<${name}>`, argument.summary] as const);
  const rowsOfOptions = Object.entries(allOptions(description)).map(([name, option]) => {
    const byDefault = option.default === undefined ? '' : ` (default: ${option.default})`;
    const repeated = option.isRepeated === true ? '; can be repeated' : '';
    return [optionText(name, option.value), `${option.summary}${repeated}${byDefault}`] as const;
  });
  const tables = [
    { heading: 'Arguments', rows: rowsOfArguments },
    { heading: 'Options', rows: rowsOfOptions },
    { heading: 'Output of --json', rows: json === null ? [] : [['', json] as const] },
    { heading: 'Examples', rows: Object.entries(examples) },
    { heading: 'Exit codes', rows: Object.entries(exitCodes) },
  ];
  return {
    usage: `svc ${path}${argumentsOf(description)} [options]`,
    summary,
    tables: tables.filter(({ rows }) => rows.length > 0),
    details,
  };
}

/** The page as text for a terminal. */
export function pageText({ usage, summary, tables, details, hint }: HelpPage, bold: Emphasis): string {
  const parts = [
    ...(summary === '' ? [] : [wrapped(sentence(summary), '')]),
    ...details.map((paragraph) => (paragraph.includes('\n') ? paragraph : wrapped(paragraph, ''))),
    ...tables.map((table) => `${bold(table.heading)}\n${tableText(table)}`),
    ...(hint === undefined ? [] : [hint]),
  ];
  return [bold(usage), ...parts].join('\n\n');
}

/** A summary as a sentence. */
export function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

function argumentsOf({ arguments: taken = {} }: CommandDescription): string {
  return Object.entries(taken)
    .map(([name, { isOptional, isRepeated }]) => {
      const repeated = isRepeated === true ? ' …' : '';
      return isOptional === true ? ` [${name}${repeated}]` : ` <${name}>${repeated}`;
    })
    .join('');
}

function optionText(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Explanations begin in one column. One that has no room there follows below its name. */
function tableText({ heading, rows }: HelpTable): string {
  if (heading === 'Examples') return rows.map(([line, text]) => `  ${line}\n      ${text}`).join('\n');
  const column = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, text]) => {
      if (name === '') return wrapped(`  ${text}`, '  ');
      return wrapped(`  ${name.padEnd(column)}  ${text}`, ' '.repeat(column + 4));
    })
    .join('\n');
}

/** The text in lines. Lines after the first begin with the indent. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  for (let rest = text; ;) {
    const end = rest.length <= width ? -1 : rest.lastIndexOf(' ', width);
    if (end <= indent.length) return [...lines, rest].join('\n');
    lines.push(rest.slice(0, end));
    rest = `${indent}${rest.slice(end + 1)}`;
  }
}
