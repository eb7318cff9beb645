/** What must be true after every simulation, by the name that a failing seed prints. */
import { auditViolations } from './audit.mjs';
import { effectViolations } from './effects.mjs';
import { modelViolations } from './models.mjs';
import { orderViolations } from './orders.mjs';
import { requestViolations } from './requests.mjs';
import { sequenceViolations } from './sequences.mjs';
import { decisionViolations, streamViolations } from './streams.mjs';
import { tenantViolations } from './tenants.mjs';

const checks = {
  'acknowledged requests are stored once': requestViolations,
  'audit records match events': auditViolations,
  'streams are in order': streamViolations,
  'decisions see all events': decisionViolations,
  'models equal the causal fold': modelViolations,
  'effects happen once': effectViolations,
  'processes and schedules do what their events say': orderViolations,
  'rewinds and rebuilds are reported in order': sequenceViolations,
  'tenants never mix': tenantViolations,
};

/** Other parts check these while a simulation runs. */
export const invariants = [...Object.keys(checks), 'messages are settled once', 'quiescence', 'no internal errors'];

/** Adds what is violated to `problems`. `world`: `{ histories, clients, broker, plan }`. */
export async function checkAll(world, problems) {
  for (const [name, check] of Object.entries(checks)) {
    for (const text of await check(world)) problems.add(name, text);
  }
}
