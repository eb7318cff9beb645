export { DeferredSignal, signalOf, type Cancellation } from './cancellation.js';
export { LocalDispatcher, type Dispatcher, type InvokeOptions } from './dispatcher.js';
export type { PipelineBehavior } from './pipeline-behavior.js';
export type { AppendOptions, NamedReceptor, Receptor, ReceptorContext } from './receptor.js';
export { CommandRejectedError, NotFoundError } from './refusals.js';
