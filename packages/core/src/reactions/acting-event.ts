import { createHash } from 'node:crypto';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  hashedId,
  inheritedMetadata,
  SystemEventStream,
  tenantOfEvent,
  type EnvelopeScope,
  type MessageEnvelope,
} from '../messages/index.js';
import { reactionsIn, reactionsName } from '../security/index.js';

/** How many reactions may cause each other in a row. */
export const mostLinks = 20;

/** What the host that stored the event knew of its caller, and a reaction does not act with. */
const dropped: ReadonlySet<string> = new Set(['roles', 'permissions', 'origin', 'homeTenantId']);

/** The event of a reaction with the scope in which the reaction acts: for the tenant of the event, without permissions. */
export function actingEnvelope(reaction: string, envelope: MessageEnvelope): MessageEnvelope {
  const scope: Record<string, string | null> = {};
  for (const name in envelope.scope) if (!dropped.has(name)) scope[name] = envelope.scope[name]!;
  const tenantId = tenantOfEvent(envelope);
  if (tenantId === '') delete scope['tenantId'];
  else scope['tenantId'] = tenantId;
  scope['source'] = 'reaction';
  scope[reactionsName] = [...reactionsIn(envelope.scope), reaction].join(',');
  return { ...envelope, scope, metadata: inheritedMetadata(envelope.metadata) };
}

/** Identifies a reaction to an event. */
export function reactionKey(reaction: string, eventId: Uuid): Uuid {
  return hashedId(createHash('sha256').update(`svc-reaction-1\n${reaction}\n${eventId}`));
}

/** Whether a system event was caused by a reaction, directly or through commands and other reactions. It would feed itself. */
export function isOwnEffect(
  reaction: string,
  { streamId, scope }: { readonly streamId: Uuid; readonly scope: EnvelopeScope | null },
): boolean {
  return streamId === SystemEventStream.streamId && reactionsIn(scope).includes(reaction);
}

/** Throws if too many reactions in a row caused an event: they probably cause each other. */
export function requireShortChain(reaction: string, { scope }: MessageEnvelope): void {
  const causes = reactionsIn(scope);
  if (causes.length < mostLinks) return;
  const last = causes.slice(-4).join(', ');
  throw new ServiceError(
    'SVC_REACTION_CHAIN',
    `The reaction ${reaction} does not run: ${causes.length} reactions in a row caused its event, the last ones are ${last}. Break the loop, then skip the event with "svc reactions skip".`,
  );
}
