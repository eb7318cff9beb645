/** A service with one command, whose hooks and receptor run the script of a test and record each step. */
import {
  commandEndpoint,
  createService,
  type EventStore,
  messageOf,
  MutationEndpointBase,
  newId,
  type Command,
  type Event,
  type MutationContext,
  type ReceptorContext,
  type Service,
} from '@svc/core';
import { isObject, readString, writeJson, type Issues } from '@svc/core/json';
import type { RunningTransport, Transport } from './transport.js';

@commandEndpoint<PlaceOrder, unknown>({ restRoute: '/orders', graphQLMutation: 'placeOrder' })
export class PlaceOrder implements Command {
  name!: string;
}

export class PlaceOrderRequest {
  name!: string;
}

export class OrderPlaced implements Event {
  name!: string;
}

/** The schema as the generator would write it: a result of any type is JSON. */
const sdl = `
  type Query { service: String! }
  type Mutation { placeOrder(command: PlaceOrderInput!): JSON }
  input PlaceOrderInput { name: String! }
  scalar JSON
`;

export type Step = 'map' | 'before' | 'receive' | 'after' | 'error';

/** What the parts of the endpoint do. Without a part its hook is not overridden. */
export interface Script {
  readonly map?: (request: PlaceOrderRequest, signal: AbortSignal) => PlaceOrder | Promise<PlaceOrder>;
  readonly before?: (command: PlaceOrder, context: MutationContext, signal: AbortSignal) => void | Promise<void>;
  readonly receive?: (command: PlaceOrder, context: ReceptorContext) => unknown;
  readonly after?: (
    command: PlaceOrder,
    result: unknown,
    context: MutationContext,
    signal: AbortSignal,
  ) => void | Promise<void>;
  readonly error?: (command: PlaceOrder, error: unknown, context: MutationContext, signal: AbortSignal) => unknown;
}

export interface ScriptedService {
  readonly service: Service;
  /** The steps that ran, in order. */
  readonly steps: readonly Step[];
  /** The names of the stored orders. */
  readonly placed: () => Promise<string[]>;
}

export function scriptedService(script: Script): ScriptedService {
  const steps: Step[] = [];
  const service = createService({
    messages: [
      { type: 'orders.PlaceOrder', kind: 'command', class: PlaceOrder, read: readNamed(PlaceOrder), write: writeJson },
      { type: 'orders.OrderPlaced', kind: 'event', class: OrderPlaced, read: readNamed(OrderPlaced), write: writeJson },
    ],
    receptors: [{ name: 'PlaceOrderReceptor', command: PlaceOrder, create: () => receptorOf(script, steps) }],
    endpoints: [
      {
        name: 'PlaceOrderEndpoint',
        command: PlaceOrder,
        restRoute: '/orders',
        graphQLMutation: 'placeOrder',
        readRequest: readNamed(script.map === undefined ? PlaceOrder : PlaceOrderRequest),
        writeResult: (result: unknown) => (result === undefined ? 'null' : writeJson(result)),
        create: (host) => scripted(new PlaceOrderEndpoint(host.dispatcher), script, steps),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  });
  return { service, steps, placed: () => namesIn(service.eventStore) };
}

/** Serves a scripted service while `use` runs. */
export async function serving(
  transport: Transport,
  script: Script,
  use: (served: ScriptedService & { running: RunningTransport }) => Promise<void>,
): Promise<void> {
  const served = scriptedService(script);
  const running = await transport.start(served.service);
  try {
    await use({ ...served, running });
  } finally {
    await running.stop();
  }
}

/** As generated: no hook is overridden. */
class PlaceOrderEndpoint extends MutationEndpointBase<PlaceOrder, unknown, PlaceOrderRequest> {}

/** Overrides the hooks that the script has, as a subclass would. */
function scripted(endpoint: PlaceOrderEndpoint, script: Script, steps: Step[]): PlaceOrderEndpoint {
  const { map, before, after, error } = script;
  const noted =
    <TArguments extends unknown[], TResult>(step: Step, hook: (...args: TArguments) => TResult) =>
    (...args: TArguments): TResult => {
      steps.push(step);
      return hook(...args);
    };
  return Object.assign(
    endpoint,
    map && { mapRequestToCommand: noted('map', map) },
    before && { onBeforeExecute: noted('before', before) },
    after && { onAfterExecute: noted('after', after) },
    error && { onError: noted('error', error) },
  );
}

function receptorOf({ receive }: Script, steps: Step[]) {
  return {
    receive(command: PlaceOrder, context: ReceptorContext): unknown {
      steps.push('receive');
      context.append(newId(), messageOf(OrderPlaced, { name: command.name }));
      return receive === undefined ? `placed ${command.name}` : receive(command, context);
    },
  };
}

function readNamed<T extends { name: string }>(type: new () => T): (value: unknown, issues: Issues) => T {
  return (value, issues) => {
    if (!isObject(value)) return issues.reject(value, 'an object');
    return Object.assign(new type(), { name: readString(value['name'], issues, 'name') });
  };
}

async function namesIn(eventStore: EventStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { envelope } of eventStore.readAll()) names.push((envelope.payload as OrderPlaced).name);
  return names;
}
