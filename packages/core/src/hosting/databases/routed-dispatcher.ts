import type { Dispatcher, InvokeOptions } from '../../dispatch/index.js';
import type { Command, ResultOf } from '../../messages/index.js';

/** Runs each command in the database of its tenant: that of the caller, or of the scope in which the host invokes it. */
export class RoutedDispatcher implements Dispatcher {
  readonly #dispatcherOf: (tenant: string | undefined) => Dispatcher | Promise<Dispatcher>;

  constructor(dispatcherOf: (tenant: string | undefined) => Dispatcher | Promise<Dispatcher>) {
    this.#dispatcherOf = dispatcherOf;
  }

  async invoke<TCommand extends Command>(command: TCommand, options?: InvokeOptions): Promise<ResultOf<TCommand>> {
    const dispatcher = await this.#dispatcherOf(options?.scope?.['tenantId'] ?? undefined);
    return await dispatcher.invoke(command, options);
  }
}
