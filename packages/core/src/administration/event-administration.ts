import { AuditReader, type AuditEntry } from '../audit/index.js';
import { encryptedPrefix, hiddenSecret, withoutMarks, type Uuid } from '../json/index.js';
import { SystemEventStream, tenantOfEvent } from '../messages/index.js';
import type { PastModel } from '../perspectives/index.js';
import type { StoredRecord } from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { pointersOf } from './pointers.js';
import { provenanceOf, type Provenance } from './provenance.js';
import { VisibleRecords } from './visible-records.js';

/** The body of an event as JSON, and what is special about its values, as JSON Pointers. */
export interface ShownBody {
  readonly text: string;
  readonly personal: readonly string[];
  /** The personal values whose subject was erased. They are null. */
  readonly erased: readonly string[];
  /** The values that were never stored. */
  readonly secret: readonly string[];
}

/** An event, and what the audit says of it and of its command. */
export interface ShownEvent extends Provenance {
  readonly record: StoredRecord;
  readonly isSystem: boolean;
  readonly tenant: string;
  /** Null: it is not audited. */
  readonly audit: AuditEntry | null;
  /** The audit record of the command that appended it; null: it is not audited. */
  readonly command: AuditEntry | null;
  readonly body: ShownBody;
}

/** A model of an event; `shared`: it has data of other tenants, which the actor may not see. */
export type ShownModel = Omit<PastModel, 'status'> & { readonly status: PastModel['status'] | 'shared' };

/** Events with their bodies, for operators and the auditors of tenants. Each view is recorded. */
export class EventAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async find(id: Uuid): Promise<ShownEvent> {
    const { visible, record } = await this.#viewed(id);
    const reader = new AuditReader(visible.storage);
    const isSystem = record.streamId === SystemEventStream.streamId;
    const audit = isSystem ? null : await auditOf(reader, record.id, 'event', visible.tenant);
    const command =
      record.causationId === null ? null : await auditOf(reader, record.causationId, 'command', visible.tenant);
    const tenant = isSystem ? tenantOfEvent(record) : ((await visible.storage.tenantOf(record.streamId)) ?? '');
    return {
      record,
      isSystem,
      tenant,
      audit,
      command,
      body: await this.#shown(record),
      ...provenanceOf(record.metadata),
    };
  }

  /** The whole body as JSON. */
  async body(id: Uuid): Promise<string> {
    const { record } = await this.#viewed(id);
    return withoutMarks(record.body);
  }

  /** The models of all perspectives that process the event, before and after it. */
  async models(id: Uuid, signal?: AbortSignal): Promise<readonly ShownModel[]> {
    const { visible, record } = await this.#viewed(id);
    const models: ShownModel[] = [];
    for (const history of await this.#parts.historiesOf()) {
      signal?.throwIfAborted();
      const model = await history.atEvent(record);
      if (model !== null) models.push(shownModel(model, history.separatesTenants || visible.tenant === null));
    }
    return models;
  }

  async #viewed(id: Uuid): Promise<{ readonly visible: VisibleRecords; readonly record: StoredRecord }> {
    const visible = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    const record = await visible.event(id);
    await visible.recordView('event', id);
    return { visible, record };
  }

  async #shown(record: StoredRecord): Promise<ShownBody> {
    const text = withoutMarks(record.body);
    const secret = text.includes(hiddenSecret) ? pointersOf(text, (value) => value === hiddenSecret) : new Map();
    const personal = await this.#personal(record);
    return { text, personal: personal.all, erased: personal.erased, secret: [...secret.keys()] };
  }

  /** The stored event has the encrypted values. */
  async #personal({
    id,
  }: StoredRecord): Promise<{ readonly all: readonly string[]; readonly erased: readonly string[] }> {
    const personal = await this.#parts.personalOf();
    const stored = await personal?.raw.findEvent(id);
    if (personal === null || stored === null || stored === undefined) return { all: [], erased: [] };
    const values = pointersOf(stored.body, (value) => value.startsWith(encryptedPrefix));
    const erased = await personal.cipher.erasedAmong([...values.values()]);
    const erasedPointers = [...values].filter(([, value]) => erased.has(value)).map(([pointer]) => pointer);
    return { all: [...values.keys()], erased: erasedPointers };
  }
}

/** Hides a model that an actor may not see. */
export function shownModel(model: PastModel, isVisible: boolean): ShownModel {
  return isVisible ? model : { ...model, status: 'shared', before: null, after: null, error: null };
}

async function auditOf(
  reader: AuditReader,
  message: Uuid,
  kind: AuditEntry['kind'],
  tenant: string | null,
): Promise<AuditEntry | null> {
  const { entries } = await reader.query({ message }, tenant);
  return entries.find((entry) => entry.kind === kind) ?? null;
}
