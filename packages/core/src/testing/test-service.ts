import { randomBytes } from 'node:crypto';
import {
  createService,
  type AnyMutationEndpoint,
  type HostParts,
  type Service,
  type ServiceRegistry,
} from '../hosting/index.js';
import { localKeyVault } from '../personal/index.js';

/**
 * Creates a service for tests, in memory: it allows every caller, and encrypts personal data with a key made for this service. `services` has the arguments
 * of constructors, by parameter name, as for `createService`. Pass those of the parts that the test runs.
 */
export function createTestService<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  services: Partial<NoInfer<TServices>> = {},
): Service<TServices> {
  return createService(withLateParts(registry), services as TServices)
    .allowEverybody()
    .useKeyVault(localKeyVault(`test:${randomBytes(32).toString('base64')}`));
}

/** Calls the constructors of parts when the parts first run, so that the others need no services. */
function withLateParts<TServices extends object>(registry: ServiceRegistry<TServices>): ServiceRegistry<TServices> {
  const { receptors, endpoints, perspectives = [], reactions = [], processes = [] } = registry;
  return {
    ...registry,
    receptors: receptors.map((one) =>
      late(one, registry, (receptor) => ({ receive: (command, context) => receptor().receive(command, context) })),
    ),
    endpoints: endpoints.map((one) => late(one, registry, lateEndpoint)),
    // Only a test that registers perspectives has them, and `keyOf` is optional.
    perspectives: perspectives.map((one) => late(one, registry, (perspective) => perspective())),
    reactions: reactions.map((one) =>
      late(one, registry, (reaction) => ({ react: (event, context) => reaction().react(event, context) })),
    ),
    processes: processes.map((one) =>
      late(one, registry, (process) => ({
        initial: () => process().initial() as unknown,
        keyOf: (event) => process().keyOf(event),
        evolve: (state, event) => process().evolve(state, event) as unknown,
        react: (event, context) => process().react(event, context),
      })),
    ),
  };
}

function lateEndpoint(endpoint: () => AnyMutationEndpoint): AnyMutationEndpoint {
  const handle: AnyMutationEndpoint['handle'] = (request, cancellation) => endpoint().handle(request, cancellation);
  // A host uses nothing else of an endpoint. Without declared hooks, the endpoint finds out itself which ones its class overrides.
  return { declareHooks: () => {}, handle } as unknown as AnyMutationEndpoint;
}

interface Descriptor<TServices> {
  readonly name: string;
  readonly create: (host: HostParts, services: TServices) => unknown;
}

/** A descriptor whose `create` returns a stand-in, which creates the part when it needs it. */
function late<TServices extends object, TDescriptor extends Descriptor<TServices>>(
  descriptor: TDescriptor,
  registry: ServiceRegistry<TServices>,
  standIn: (part: () => ReturnType<TDescriptor['create']>) => ReturnType<TDescriptor['create']>,
): TDescriptor {
  const { name, create } = descriptor;
  return {
    ...descriptor,
    create: (host: HostParts, services: TServices) => {
      let part: unknown;
      return standIn(
        () => (part ??= create(host, requiredBy(name, services, registry))) as ReturnType<TDescriptor['create']>,
      );
    },
  };
}

/** The services, for the constructor of a part: it fails if it needs one that the test does not pass. */
function requiredBy<TServices extends object>(
  part: string,
  services: TServices,
  { services: required = [] }: ServiceRegistry<TServices>,
): TServices {
  return new Proxy(services, {
    get: (target, key) => {
      const name = String(key);
      if (!(name in target) && required.includes(name)) {
        throw new Error(
          `${part} needs the service "${name}", which the test does not pass. Pass it in the second argument: { ${name} }.`,
        );
      }
      return Reflect.get(target, key) as unknown;
    },
  });
}
