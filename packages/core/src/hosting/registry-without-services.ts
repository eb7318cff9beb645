import type { ServiceRegistry } from './service-registry.js';

/** A registry whose constructors need no services. For any other registry the error of the compiler lists the missing services. */
export type RegistryWithoutServices<TServices extends object> = ServiceRegistry<TServices> &
  // oxlint-disable-next-line typescript/no-empty-object-type -- the question is whether anything is required
  ({} extends TServices ? unknown : MissingSecondArgument<TServices>);

/** The compiler shows this name, and the properties that no registry has: `services.clock`. */
type MissingSecondArgument<TServices extends object> = {
  // oxlint-disable-next-line typescript/no-empty-object-type -- the question is whether the service is required
  readonly [K in keyof TServices as {} extends Pick<TServices, K> ? never : `services.${K & string}`]: TServices[K];
};
