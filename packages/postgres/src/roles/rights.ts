/**
 * What the runtime role may do with each table of the infrastructure. A new table needs an entry here: without one, services with two roles cannot
 * use it, and a test fails.
 */

/** Of working state, which a service changes. All other tables are history. */
const working = 'SELECT, INSERT, UPDATE, DELETE';

export const tableRights: Readonly<Record<string, string>> = {
  svc_events: 'SELECT, INSERT',
  svc_archives: 'SELECT',
  svc_seals: 'SELECT, INSERT',
  svc_seal_anchors: working,
  // Locking a row needs UPDATE of some column. A trigger rejects every UPDATE, and the removal of a pending audit record.
  svc_outbox: 'SELECT, INSERT, DELETE, UPDATE (destination)',
  svc_roles: 'SELECT',
  // A trigger rejects that the runtime role changes records of the infrastructure.
  svc_schema_migrations: 'SELECT, INSERT, UPDATE',
  svc_migration_batches: working,
  svc_renewed: working,
  svc_inbox: working,
  svc_leases: working,
  svc_idempotency: working,
  svc_dead_letters: working,
  svc_perspectives: working,
  svc_perspectives_stopped: working,
  svc_rewinds: working,
  svc_segments: working,
  svc_segments_stopped: working,
  svc_operations: working,
  svc_decider_snapshots: working,
  svc_scheduled: working,
  svc_reactions: working,
  svc_reaction_segments: working,
  svc_reacted: working,
  svc_reacted_rows: working,
  svc_reaction_streams: working,
  svc_processes: working,
  svc_subject_keys: working,
  svc_hosts: working,
  svc_host_activity: working,
};

/** Advancing it needs USAGE. Setting it back would need UPDATE. */
export const eventSequence = 'svc_events_sequence';

/** The functions that the runtime role calls and that run with the rights of the owner. */
export const definerFunctions: readonly string[] = ['svc_deliver_system_events(integer)'];

/** The tables of perspectives, whatever their perspective. No table of the infrastructure has such a name. */
export const perspectiveTablePattern = '^svc_(perspective|sources|snapshots)_';
