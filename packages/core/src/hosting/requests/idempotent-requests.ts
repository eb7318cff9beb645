import { IdempotencyClaim, type CommandRequest } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import { anonymous, type SecurityContext } from '../../security/index.js';
import { IdempotencyKeyInUseError, type IdempotentResult, type Storage } from '../../storage/index.js';
import { FailedAttempts } from '../../transport/index.js';
import { canonicalJson } from '../canonical-json.js';
import type { ReadyEndpoint } from '../service-registry.js';
import { sentWithoutSecrets } from './secret-requests.js';

/** How long a result is returned for repeated requests. */
export const idempotencyKeyAgeMs = 24 * 60 * 60 * 1000;

/** The longest wait for another request with the same key. */
const longestWaitMs = 10_000;

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  /** The request as its endpoint receives it. */
  readonly message: object;
  /** Its JSON as sent: defaults that the class of the message adds, such as a new id, differ each time. */
  readonly sent: unknown;
}

/** The result of a request with an idempotency key as JSON, and whether an earlier request produced it. */
export interface IdempotentAnswer {
  readonly text: string;
  readonly isReplayed: boolean;
}

/**
 * Serves requests with an idempotency key: the first one runs its command and stores the result in the same transaction, the next ones get that
 * result without running hooks. A key belongs to its command and its caller. If several hosts run the request concurrently, the database
 * commits only the first.
 */
export class IdempotentRequests {
  readonly #storageOf: (caller: SecurityContext | null) => Storage | Promise<Storage>;
  readonly #actor: () => SecurityContext | null;
  readonly #report: (error: unknown) => void;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** The failed attempts of each command: a request that is repeated with its key continues the count. */
  readonly #failing = new FailedAttempts();

  constructor(
    storageOf: (caller: SecurityContext | null) => Storage | Promise<Storage>,
    actor: () => SecurityContext | null,
    report: (error: unknown) => void,
  ) {
    this.#storageOf = storageOf;
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
    const secrets = endpoint.secretsOf?.(message) ?? [];
    const requestHash = await sha256(canonicalJson(sentWithoutSecrets(sent, secrets)));
    const end = performance.now() + longestWaitMs;
    for (;;) {
      const other = this.#underWay.get(id);
      if (other === undefined) return await this.#alone(id, this.#answer(endpoint, message, id, requestHash, request));
      if (!(await settlesWithin(other, end - performance.now()))) throw new IdempotencyKeyInUseError();
      request.throwIfAborted();
    }
  }

  /** Runs one command per key at a time in this process. */
  async #alone(id: string, answering: Promise<IdempotentAnswer>): Promise<IdempotentAnswer> {
    this.#underWay.set(id, answering);
    try {
      return await answering;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #answer(
    { name, command, endpoint, writeResult, storeResult = writeResult }: ReadyEndpoint,
    message: object,
    id: string,
    requestHash: string,
    request: CommandRequest,
  ): Promise<IdempotentAnswer> {
    const storage = await this.#storageOf(this.#actor());
    const known = await storage.findIdempotent(id, idempotencyKeyAgeMs);
    if (known !== null) return replay(known, requestHash, request);
    const attempt = this.#failing.of(id).attempts + 1;
    const claim = new IdempotencyClaim(command, id, requestHash, storeResult, attempt);
    request.claim = claim;
    try {
      const result = await endpoint.handle(message, request);
      this.#failing.forget([id]);
      if (!claim.isReached) this.#report(notStored(name));
      if (!claim.isLost) return { text: writeResult(result), isReplayed: false };
    } catch (error) {
      if (!claim.isLost) {
        if (claim.attempt > attempt) this.#failing.count(id, claim.attempt - attempt);
        throw error;
      }
    }
    const faster = await storage.findIdempotent(id, idempotencyKeyAgeMs);
    if (faster === null) throw new IdempotencyKeyInUseError();
    return replay(faster, requestHash, request);
  }
}

/**
 * The owner of a key: all values that identify a caller, because each kind of caller has other scope values. Permissions and the display name
 * are not included: both may change between two requests.
 */
function identityOf(caller: SecurityContext | null): object | null {
  if (caller === null) return null;
  const { scope, source, homeTenantId } = caller;
  return { source, homeTenantId, scope: { ...scope, allowedPrincipals: new Set(scope.allowedPrincipals) } };
}

function replay(known: IdempotentResult, requestHash: string, request: CommandRequest): IdempotentAnswer {
  if (known.requestHash !== requestHash)
    throw new ServiceError(
      'SVC_IDEMPOTENCY_KEY_REUSED',
      'The idempotency key was used for another request. Use a new key for each new request, and the same key only to repeat a request.',
    );
  // The caller may have missed the first answer, and then reads the effects of the command.
  request.lastEventId = known.lastEventId ?? undefined;
  return { text: known.result, isReplayed: true };
}

function notStored(endpoint: string): ServiceError {
  return new ServiceError(
    'SVC_IDEMPOTENT_RESULT_NOT_KEPT',
    `${endpoint} answered a request with an idempotency key, but its result is not stored: a repeated request runs again. Let dispatchCommand pass on the command or the signal that it receives.`,
  );
}

/** A valid key has visible ASCII characters only, such as a UUID, a number or a word. */
const validKey = /^[\x21-\x7e]{1,255}$/;

function requireKey(key: string): void {
  if (validKey.test(key)) return;
  throw new ServiceError(
    'SVC_IDEMPOTENCY_KEY_INVALID',
    'The idempotency key must have 1 to 255 visible ASCII characters and no spaces, for example a UUID.',
  );
}

/** A random UUID, version 4 or 7: other versions can be guessed. */
const randomUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Only its key identifies an anonymous caller, so other callers must not be able to guess it. */
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

/** Whether the promise resolves or rejects in time. */
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
