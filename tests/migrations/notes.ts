/** A perspective in several versions, as programs of several versions have it. */
import { createService, perspective, type Perspective, type PerspectiveLens, type Service } from '@svc/core';
import { type MigratingStorage, type PerspectiveColumn } from '@svc/core/storage';
import { type PerspectiveDescriptor } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import { described } from '../perspectives/perspective-shop.js';
import { OrderPlaced, shopRegistry } from '../system-events/shop.js';
import type { Row, TrialDatabase } from './databases.js';

export interface Notes {
  readonly note: string;
  readonly placed: number;
  /** From version 2 on. */
  readonly loud?: string;
}

export const note: PerspectiveColumn = { name: 'note', type: 'text' };
export const placed: PerspectiveColumn = { name: 'placed', type: 'integer' };

/** What is indexed, and what `apply` makes of an order, in one version of the program. */
export function notes(columns: readonly PerspectiveColumn[], version = 1): PerspectiveDescriptor<object> {
  class OrderNotes implements Perspective<Notes, OrderPlaced> {
    apply(model: Notes | null, event: OrderPlaced): Notes {
      const next = { note: event.note, placed: (model?.placed ?? 0) + 1 };
      return version === 1 ? next : { ...next, loud: event.note.toUpperCase() };
    }
  }
  perspective({ version })(OrderNotes);
  return { ...described(OrderNotes, [OrderPlaced]), columns };
}

type NotesClass = new () => Perspective<Notes, OrderPlaced>;

export interface Program {
  readonly service: Service;
  readonly storage: MigratingStorage;
  readonly lens: PerspectiveLens<Notes>;
  readonly perspective: NotesClass;
  /** What it reported in the background. */
  readonly reported: readonly unknown[];
}

/** A program of one version, started on a database. Stopped when the test has ended. */
export async function startProgram(
  storage: MigratingStorage,
  descriptor: PerspectiveDescriptor<object>,
): Promise<Program> {
  const reported: unknown[] = [];
  const service = createService({ ...shopRegistry(), perspectives: [descriptor] })
    .useStorage(storage)
    .addSystemEvents()
    .addServicePerspectives()
    .reportTo((error) => void reported.push(error));
  onTestFinished(() => service.stop());
  service.start();
  await service.ready();
  const notesClass = descriptor.class as NotesClass;
  return { service, storage, reported, lens: service.lens(notesClass), perspective: notesClass };
}

export async function recordOf(database: TrialDatabase): Promise<Row | undefined> {
  return (await database.query("SELECT * FROM svc_schema_migrations WHERE key = 'perspective/OrderNotes'"))[0];
}
