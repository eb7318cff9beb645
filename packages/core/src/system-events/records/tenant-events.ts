import type { Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

/** The record that a database holds the data of a tenant: appended to a stream of the tenant when the first work for it begins. */
@auditEvent({ exclude: true, reason: 'The placement of a tenant is a record itself.' })
export class TenantPlaced implements SystemEvent {
  id: Uuid = newId();
  /** '' for everything without a tenant. */
  tenantId!: string;
  /** The name of the database. */
  database!: string;
  timestamp!: Date;
}
