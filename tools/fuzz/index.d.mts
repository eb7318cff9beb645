import type { StoredRecord } from '@svc/core/storage';
import type { GraphQLSchema } from 'graphql';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Takes the data, the log of the service and the requests that failed. */
  readonly folder: string;
  /** Default: sqlite. */
  readonly database?: 'sqlite' | 'postgres';
  /** Default: 8. */
  readonly connections?: number;
  /** Default: 120. */
  readonly minutes?: number;
  /** The program of the service. Default: examples/orders, as it was built. */
  readonly entry?: string;
  readonly onProgress?: (session: unknown, sent: number) => void;
}

export interface Failure {
  readonly kind: string;
  readonly text: string;
  /** For `replay`. */
  readonly file: string | null;
  readonly count: number;
  readonly operation: string | null;
}

export interface FuzzResult {
  readonly seed: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  readonly failureCount: number;
  readonly statistics: {
    readonly sent: number;
    readonly statuses: ReadonlyMap<string, ReadonlyMap<string, number>>;
    readonly succeeded: ReadonlyMap<string, number>;
    readonly memory: readonly MemorySample[];
  };
  readonly memory: MemoryJudgement;
  readonly log: { readonly answered: number; readonly commands: number; readonly events: number };
  readonly operations: readonly string[];
}

export interface MemorySample {
  readonly requests: number;
  readonly heap: number;
  readonly rss: number;
}

export interface MemoryJudgement {
  readonly isJudged: boolean;
  readonly growth: { readonly heap?: number; readonly rss?: number };
  readonly wrong: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
  readonly framing?: { readonly kind: string };
}

export interface Tenant {
  readonly id: string;
  readonly marker: string;
}

export interface CheckedRequest extends SentRequest {
  readonly number: number;
  readonly caller: { readonly userId: string; readonly tenant: Tenant | null };
  readonly foreignIds: readonly string[];
  readonly isRejected?: boolean;
}

export function fuzz(options: FuzzOptions): Promise<FuzzResult>;
export function reportOf(result: FuzzResult): string;
export function readOptions(args: readonly string[]): Omit<FuzzOptions, 'folder'> & { readonly replay: string | null };
/** Resolves with whether there is something wrong with the answer. */
export function replay(file: string, print: (text: string) => void, entry?: string): Promise<boolean>;
export function judgeMemory(samples: readonly MemorySample[]): MemoryJudgement;
export function committedCommands(request: SentRequest, answer: Answer, schema: GraphQLSchema): number;
export function checkLog(
  records: Iterable<StoredRecord> | AsyncIterable<StoredRecord>,
  ledger: Ledger,
): Promise<{ readonly wrong: readonly string[]; readonly commands: number; readonly events: number }>;
export function shrunk<TRequest extends SentRequest>(
  request: TRequest,
  fails: (request: TRequest) => Promise<boolean>,
): Promise<TRequest>;

export class Ledger {
  answered(request: Pick<CheckedRequest, 'number' | 'caller'>, commands: number, lastEvent?: string): void;
  lost(request: Pick<CheckedRequest, 'caller'>): void;
  readonly commands: number;
}

export class Isolation {
  constructor(tenants: readonly Tenant[]);
  sending(request: CheckedRequest): void;
  check(request: CheckedRequest, answer: Answer): string | null;
  answered(request: CheckedRequest, answer: Answer, commands: number): void;
}

export class AnswerReader {
  isHead: boolean;
  readonly isEmpty: boolean;
  push(chunk: Buffer): Answer | null;
}
