import type { MessageFact, ModuleFacts } from '../facts.js';
import type { Registrations } from '../registrations.js';
import type { Messages } from './messages.js';
import type { AssembledReceptor } from './receptors.js';
import type { Reports } from './reports.js';

/**
 * Reports commands without a receptor: the service could not start. Reports nothing if a receptor may exist that the generator cannot
 * see, or if the project creates no service: the commands of a library may have their receptors elsewhere.
 */
export function checkReceptors(
  modules: readonly ModuleFacts[],
  messages: Messages,
  receptors: readonly AssembledReceptor[],
  { createsService, addedReceptors }: Registrations,
  reports: Reports,
): void {
  const commands = messages.usable.filter(({ kind }) => kind === 'command');
  const names = new Set<string | null>(commands.map(({ name }) => name));
  const addsUnknown = [...addedReceptors].some((name) => !names.has(name));
  const hasUnread = modules.some(({ diagnostics }) => diagnostics.some(({ code }) => code === 'SVC1205'));
  if (!createsService || addsUnknown || hasUnread) return;
  const received = new Set<MessageFact>(receptors.map(({ command }) => command));
  for (const command of commands) {
    if (received.has(command) || addedReceptors.has(command.name)) continue;
    reports.report(command.at, 'SVC1206', command.name);
  }
}
