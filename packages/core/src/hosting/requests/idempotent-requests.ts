import { IdempotencyClaim, type CommandRequest } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import { anonymous, type SecurityContext } from '../../security/index.js';
import { IdempotencyKeyInUseError, type IdempotencyRecord, type Storage } from '../../storage/index.js';
import { FailedAttempts } from '../../transport/index.js';
import { canonicalJson } from '../canonical-json.js';
import type { ReadyEndpoint } from '../service-registry.js';

/** How long a result is replayed. */
export const idempotencyKeyAgeMs = 24 * 60 * 60 * 1000;

/** How long a request waits at most for another one with the same key. */
const longestWaitMs = 10_000;

/** A request under an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  /** The request as its endpoint takes it. */
  readonly message: object;
  /** Its JSON as it was sent: what the class of the message adds by itself, such as a new id, is another one each time. */
  readonly sent: unknown;
}

/** What a request under an idempotency key is answered with: the result as JSON, and whether it is that of an earlier request. */
export interface IdempotentAnswer {
  readonly text: string;
  readonly isReplayed: boolean;
}

/**
 * Serves requests that carry an idempotency key: the first one runs its command and keeps the result in the same transaction, those
 * after it get that result, and no hook runs for them. A key belongs to its command and its caller. Where several hosts are asked at
 * once, the database decides which of them was first; what the others did is not kept.
 */
export class IdempotentRequests {
  readonly #storage: Storage;
  readonly #actor: () => SecurityContext | null;
  readonly #report: (error: unknown) => void;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** How often commands have failed, by what they are known by: a request that is sent again under its key counts on. */
  readonly #failing = new FailedAttempts();

  constructor(storage: Storage, actor: () => SecurityContext | null, report: (error: unknown) => void) {
    this.#storage = storage;
    this.#actor = actor;
    this.#report = report;
  }

  async handle(
    endpoint: ReadyEndpoint,
    { key, message, sent }: KeyedRequest,
    request: CommandRequest,
  ): Promise<IdempotentAnswer> {
    requireKey(key);
    const caller = this.#actor();
    if (caller === anonymous) requireSecretKey(key);
    const id = await sha256(canonicalJson([endpoint.commandType, identityOf(caller), key]));
    const requestHash = await sha256(canonicalJson(sent));
    const end = performance.now() + longestWaitMs;
    for (;;) {
      const other = this.#underWay.get(id);
      if (other === undefined) return await this.#alone(id, this.#answer(endpoint, message, id, requestHash, request));
      if (!(await settlesWithin(other, end - performance.now()))) throw new IdempotencyKeyInUseError();
      request.throwIfAborted();
    }
  }

  /** While it runs, nobody else of this process runs a command under the same key. */
  async #alone(id: string, answering: Promise<IdempotentAnswer>): Promise<IdempotentAnswer> {
    this.#underWay.set(id, answering);
    try {
      return await answering;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #answer(
    { name, command, endpoint, writeResult }: ReadyEndpoint,
    message: object,
    id: string,
    requestHash: string,
    request: CommandRequest,
  ): Promise<IdempotentAnswer> {
    const known = await this.#storage.findIdempotent(id, idempotencyKeyAgeMs);
    if (known !== null) return replay(known, requestHash);
    const attempt = this.#failing.of(id).attempts + 1;
    const claim = new IdempotencyClaim(command, id, requestHash, writeResult, attempt);
    request.claim = claim;
    try {
      const result = await endpoint.handle(message, request);
      this.#failing.forget([id]);
      if (!claim.isReached) this.#report(notKept(name));
      if (!claim.isLost) return { text: writeResult(result), isReplayed: false };
    } catch (error) {
      if (!claim.isLost) {
        if (claim.attempt > attempt) this.#failing.count(id, claim.attempt - attempt);
        throw error;
      }
    }
    const faster = await this.#storage.findIdempotent(id, idempotencyKeyAgeMs);
    if (faster === null) throw new IdempotencyKeyInUseError();
    return replay(faster, requestHash);
  }
}

/**
 * Whom a key belongs to: everything that says who a caller is, since each kind of caller is known by other values of its scope. What they may
 * do is no part of it, nor the name to show: both may change between two requests.
 */
function identityOf(caller: SecurityContext | null): object | null {
  if (caller === null) return null;
  const { scope, source, homeTenantId } = caller;
  return { source, homeTenantId, scope: { ...scope, allowedPrincipals: new Set(scope.allowedPrincipals) } };
}

function replay(known: IdempotencyRecord, requestHash: string): IdempotentAnswer {
  if (known.requestHash === requestHash) return { text: known.result, isReplayed: true };
  throw new ServiceError(
    'SVC_IDEMPOTENCY_KEY_REUSED',
    'The idempotency key was used for another request. Take a new key for each new request, and the same one to send it again.',
  );
}

function notKept(endpoint: string): ServiceError {
  return new ServiceError(
    'SVC_IDEMPOTENT_RESULT_NOT_KEPT',
    `${endpoint} answered a request under an idempotency key, and nothing is kept under the key: the request runs again when it is sent again. Let dispatchCommand hand on the command or the signal that it is given.`,
  );
}

/** What a key may be: visible characters of ASCII, as a UUID, a number or a word has. */
const validKey = /^[\x21-\x7e]{1,255}$/;

function requireKey(key: string): void {
  if (validKey.test(key)) return;
  throw new ServiceError(
    'SVC_IDEMPOTENCY_KEY_INVALID',
    'The idempotency key must have 1 to 255 visible ASCII characters, and no spaces. A UUID is a good one.',
  );
}

/** A random UUID, version 4 or 7: the other versions can be guessed. */
const randomUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Of an anonymous caller nothing is known but the key: it must be one that no other caller has or guesses. */
function requireSecretKey(key: string): void {
  if (randomUuid.test(key)) return;
  throw new ServiceError(
    'SVC_IDEMPOTENCY_KEY_INVALID',
    'The idempotency key of a caller without a credential must be a random UUID (version 4 or 7).',
  );
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether it settles in time, one way or the other. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
