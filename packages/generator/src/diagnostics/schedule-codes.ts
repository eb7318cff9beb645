import type { CodeEntry } from './code-table.js';

/** SVC20xx: recurring commands. */
export const scheduleCodes = {
  SVC2001: {
    title: 'recurring is on a class that is not a command',
    message: (name: string, why: string) =>
      `recurring is used on ${name}, which ${why}, so it has no effect. Use it on an exported class of the same module that implements Command.`,
  },
  SVC2002: {
    title: 'A cron expression or time zone is not a literal',
    message: (option: string, command: string, type: string) =>
      `The ${option} of ${command} is ${type}, so the generator cannot check it. Write a literal, such as cron: '0 3 * * *', timeZone: 'Europe/Berlin'.`,
  },
  SVC2003: {
    title: 'A cron expression is not valid',
    message: (cron: string, command: string, why: string) =>
      `"${cron}" of ${command} is not a cron expression: ${why}. Write five fields (minute, hour, day of month, month, day of week), or six that start with seconds.`,
  },
  SVC2004: {
    title: 'A time zone does not exist',
    message: (timeZone: string, command: string) =>
      `"${timeZone}" of ${command} is not a time zone. Write a name of the IANA time zone database, such as Europe/Berlin or UTC.`,
  },
  SVC2005: {
    title: 'A recurring command has required properties',
    message: (command: string, properties: string) =>
      `${command} recurs, but ${properties} is required, and svc has no value for it. Make it optional, initialize it, or schedule the command in a receptor.`,
  },
} as const satisfies Record<string, CodeEntry>;
