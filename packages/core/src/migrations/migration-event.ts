import {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from '../system-events/index.js';

const classes = {
  MigrationBatchStarted,
  MigrationItemStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationBatchCompleted,
} as const;

export type MigrationEvent = InstanceType<(typeof classes)[keyof typeof classes]>;

/** A migration event as its batch stores it until it is emitted. */
export interface StoredMigrationEvent {
  readonly type: keyof typeof classes;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
  readonly body: object;
}

export function migrationEventOf({ type, body }: StoredMigrationEvent): MigrationEvent {
  return Object.assign(new classes[type](), body);
}
