/** A service with one command that puts money into a till, with hooks that say when they are called. */
import {
  commandEndpoint,
  newId,
  RestMutationEndpointBase,
  type Dispatcher,
  type MessageClass,
  type ServiceRegistry,
} from '@svc/core';
import { writeJson } from '@svc/core/json';

@commandEndpoint<Deposit, Balance>({ restRoute: '/deposits' })
export class Deposit {
  amount = 0;
}

export class Deposited {
  amount = 0;
}

interface Balance {
  readonly balance: number | string;
}

/** How the service behaves. */
export interface Till {
  /** What was called, in order. */
  readonly calls?: string[];
  /** How long a deposit takes. */
  readonly pauseMs?: number;
  /** How many deposits fail before one succeeds. */
  failures?: number;
  /** What the error-hook answers with. */
  readonly fallback?: string;
  /** The endpoint overrides `dispatchCommand`, and this is what it hands to the dispatcher. */
  readonly dispatch?: 'what it is given' | 'a signal with a time-out' | 'a copy of the command' | 'neither';
  /** Called before the deposit is kept. */
  readonly onReceive?: (amount: number) => unknown;
}

const message = <T extends object>(type: string, kind: 'command' | 'event', messageClass: MessageClass<T>) => ({
  type,
  kind,
  class: messageClass,
  read: (value: unknown): T => Object.assign(new (messageClass as new () => T)(), value as object),
  write: writeJson,
});

export function tillRegistry(till: Till): ServiceRegistry<object> {
  return {
    messages: [message('till.Deposit', 'command', Deposit), message('till.Deposited', 'event', Deposited)],
    receptors: [
      {
        name: 'DepositReceptor',
        command: Deposit,
        create: () => ({
          async receive({ amount }: Deposit, context): Promise<Balance> {
            till.calls?.push('receive');
            context.append(newId(), Object.assign(new Deposited(), { amount }));
            if (till.pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, till.pauseMs));
            if ((till.failures ?? 0) > 0) {
              till.failures!--;
              throw new Error('no');
            }
            till.onReceive?.(amount);
            return { balance: amount };
          },
        }),
      },
    ],
    endpoints: [
      {
        name: 'DepositEndpoint',
        command: Deposit,
        restRoute: '/deposits',
        graphQLMutation: null,
        readRequest: message('till.Deposit', 'command', Deposit).read,
        writeResult: writeJson,
        create: ({ dispatcher }) => endpointOf(till, dispatcher),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
  };
}

function endpointOf(till: Till, dispatcher: Dispatcher): RestMutationEndpointBase<Deposit, Balance> {
  class DepositEndpoint extends RestMutationEndpointBase<Deposit, Balance> {
    readonly restRoute = '/deposits';

    protected override onBeforeExecute(): void {
      till.calls?.push('before');
    }

    protected override onAfterExecute(): void {
      till.calls?.push('after');
    }

    protected override onError(): Balance | null {
      return till.fallback === undefined ? null : { balance: till.fallback };
    }
  }
  const { dispatch } = till;
  if (dispatch === undefined) return new DepositEndpoint(dispatcher);
  const passesCommand = dispatch === 'what it is given' || dispatch === 'a signal with a time-out';
  const passesSignal = dispatch === 'what it is given' || dispatch === 'a copy of the command';
  return new (class extends DepositEndpoint {
    protected override async dispatchCommand(command: Deposit, signal: AbortSignal): Promise<Balance> {
      const handedOn = passesCommand ? command : Object.assign(new Deposit(), command);
      const until = passesSignal ? signal : AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
      return (await this.dispatcher.invoke(handedOn, { signal: until })) as Balance;
    }
  })(dispatcher);
}
