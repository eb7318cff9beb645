import type { Uuid } from '../json/index.js';
import { runAs, type SecurityContext } from '../security/index.js';
import type { OperationEnd, OperationRequest } from '../storage/index.js';
import { OperationEnded, OperationStarted, type SystemEventEmitter } from '../system-events/index.js';
import { operatorContext } from './operator.js';

type About = Pick<OperationRequest, 'id' | 'kind' | 'target' | 'requestedBy'>;

/** Emits the start and the end of an operation to the system stream, as the operator. */
export class OperationEvents {
  /** The context in which the operation runs. */
  readonly operator: SecurityContext;
  readonly #emitter: Pick<SystemEventEmitter, 'emit'>;
  readonly #operation: About;

  constructor(emitter: Pick<SystemEventEmitter, 'emit'>, operation: About) {
    this.operator = operatorContext(operation.requestedBy);
    this.#emitter = emitter;
    this.#operation = operation;
  }

  started(given: OperationRequest['arguments'], attempt: number): Promise<void> {
    return this.#emit(Object.assign(new OperationStarted(), { ...this.#about(), arguments: given, attempt }));
  }

  ended({ state, error }: Pick<OperationEnd, 'state' | 'error'>): Promise<void> {
    const outcome = { outcome: state, ...(error !== null && { error }) };
    return this.#emit(Object.assign(new OperationEnded(), { ...this.#about(), ...outcome }));
  }

  #emit(event: OperationStarted | OperationEnded): Promise<void> {
    return runAs(this.operator, () => this.#emitter.emit(event));
  }

  #about(): { operationId: Uuid; kind: string; target?: string; requestedBy: string; timestamp: Date } {
    const { id, kind, target, requestedBy } = this.#operation;
    return { operationId: id, kind, ...(target !== null && { target }), requestedBy, timestamp: new Date() };
  }
}
