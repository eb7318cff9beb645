import type { Service, Uuid } from '@svc/core';
import type { Storage, StoredRecord } from '@svc/core/storage';
import type { Transport } from '@svc/core/transport';

/** A request of a caller. With a key, the caller repeats it until it is answered. */
export interface ShopRequest {
  readonly type: 'PlaceOrder' | 'PayOrder' | 'PostponeReminder' | 'CancelReminder';
  readonly key: string | null;
  readonly requestId: Uuid;
  readonly orderId: Uuid;
}

/** A request, and what the caller knows about it. `outcome` null: no host has answered it. `isRejected`: an error said that nothing was stored. */
export interface SentRequest extends ShopRequest {
  outcome: string | null;
  readonly isRejected: boolean;
}

/** A stored event with what the checks need of it. */
export interface HistoryEvent extends Pick<
  StoredRecord,
  'id' | 'type' | 'streamId' | 'position' | 'correlationId' | 'causationId'
> {
  readonly body: Readonly<Record<string, unknown>>;
  /** The host that it came from; null: it is an own event. */
  readonly origin: string | null;
}

/** Everything that a shop has stored, and what its callers know. */
export interface History {
  readonly shop: string;
  readonly requests: readonly SentRequest[];
  /** In the order of the log. */
  readonly events: readonly HistoryEvent[];
  readonly models: readonly { readonly key: string; readonly ids: readonly string[] }[];
  readonly instances: readonly {
    readonly key: string;
    readonly events: number;
    readonly ignored: number;
    readonly isCompleted: boolean;
  }[];
  /** The failed streams of reactions, as text. */
  readonly failedStreams: readonly string[];
  readonly deadLetters: readonly string[];
  /** The keys of the scheduled commands, '' for none. */
  readonly scheduled: readonly string[];
  readonly seals: { readonly checkpoints: number; readonly events: number; readonly finding: string | null };
}

export interface Invariant {
  readonly name: string;
  readonly checked: number;
  readonly violations: readonly string[];
}

export interface TortureOptions {
  readonly count: number;
  readonly seed: number;
  readonly minutes: number;
  readonly hosts: number;
  readonly storage?: 'postgres' | 'sqlite' | null;
  readonly from?: string | null;
  readonly servers?: Servers;
}

export interface TortureResult {
  readonly run: string;
  readonly unit: string;
  readonly storages: readonly string[];
  readonly isOneStorage: boolean;
  readonly hosts: number | null;
  readonly from: string | null;
  readonly seed: number;
  readonly count: number;
  readonly done: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly invariants: readonly Invariant[];
}

/** The private servers of runs. */
export class Servers {
  constructor(options?: { readonly sharedBrokerUrl?: string | null });
  remove(): Promise<void>;
}

export interface RecordedRun extends Omit<TortureResult, 'hosts' | 'from' | 'isOneStorage' | 'invariants'> {
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly invariants: readonly { readonly name: string; readonly checked: number; readonly violations: number }[];
}

export function recordOf(result: TortureResult, when: { readonly commit: string; readonly date: string }): RecordedRun;
export function addRecord(file: string, record: RecordedRun): void;

export const invariants: readonly string[];
export const runs: Readonly<Record<string, { readonly unit: string }>>;
export function commandOf(result: TortureResult): string;
export function failureTexts(result: TortureResult): readonly string[];
export function handle(service: Service, request: ShopRequest): Promise<string>;
export function isSound(result: TortureResult): boolean;
/** The tag of the last release; null: there is none. */
export function lastRelease(): string | null;
export function readHistory(
  shop: string,
  storage: Storage,
  requests: readonly SentRequest[],
  sealKey: string,
): Promise<History>;
export function readOptions(args: readonly string[]): TortureOptions & { readonly run: string };
export function reportOf(result: TortureResult): string;
export function shopService(parts: {
  readonly shop: string;
  readonly other: string | null;
  readonly storage: Storage;
  readonly transport: Transport | null;
  readonly sealKey: string;
}): Service;
export function torture(run: string, options: TortureOptions): Promise<TortureResult>;
export function violationsOf(histories: readonly [History, ...History[]]): readonly string[];
