import type { CodeEntry } from './code-table.js';

/** SVC12xx: receptors. */
export const receptorCodes = {
  SVC1201: {
    title: 'A command has two receptors',
    message: (receptor: string, other: string, command: string) =>
      `${receptor} and ${other} both receive ${command}, but a command has exactly one receptor. Remove one of them.`,
  },
  SVC1202: {
    title: 'A receptor receives a class that is not a command',
    message: (receptor: string, command: string) =>
      `${receptor} receives ${command}, which is not a command of this service. Let its class implement Command, exported from a module below the source root, or name the command that it receives.`,
  },
  SVC1203: {
    title: 'Receptor and endpoint disagree about the result',
    message: (receptor: string, result: string, command: string, declared: string) =>
      `${receptor} returns ${result} for ${command}, but its commandEndpoint declares ${declared}. Make both the same type.`,
  },
  SVC1204: {
    title: 'A receptor is not exported',
    message: (receptor: string) =>
      `${receptor} is a receptor but is not exported by its name, so it cannot be used. Write export class ${receptor}.`,
  },
  SVC1205: {
    title: 'The command of a receptor cannot be determined',
    message: (receptor: string) =>
      `${receptor} inherits Receptor in a way that hides its command or result. Write implements Receptor<Command, Result> on ${receptor} itself.`,
  },
  SVC1206: {
    title: 'A command has no receptor',
    message: (command: string) =>
      `${command} has no receptor, so the service cannot start. Write a class that implements Receptor<${command}, Result>, or call addReceptor(${command}, …).`,
  },
} as const satisfies Record<string, CodeEntry>;
