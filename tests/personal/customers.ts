/** A generated service with personal data in every place: commands, events, models, states and results. */
import { join } from 'node:path';
import { createService, localKeyVault, type Perspective, type Service, type ServiceRegistry } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { Generator, loadProject } from '@svc/generator';
import { TemporaryProject } from '../generator/temporary-project.js';

const messages = `import { commandEndpoint, newId, perspective, snapshot, type Command, type Decider, type Event, type Int, type MaxLength, type Personal, type Perspective, type Receptor, type ReceptorContext, type Uuid } from '@svc/core';

export interface Address {
  street: string;
  city: string;
}

@commandEndpoint<Register, Registered>({ restRoute: '/register' })
export class Register implements Command {
  customerId: Uuid = newId();
  name!: string & MaxLength<100> & Personal<'customerId'>;
  address!: (Address & Personal<'customerId'>) | null;
  nicknames?: string[] & Personal<'customerId'>;
}

export interface Registered {
  customerId: Uuid;
  name: string & Personal<'customerId'>;
}

export class Rename implements Command {
  customerId!: Uuid;
  name!: string & Personal<'customerId'>;
  reason?: string & Personal<'customerId'>;
}

export class CustomerRegistered implements Event {
  customerId!: Uuid;
  name!: (string & Personal<'customerId'>) | null;
  address!: (Address & Personal<'customerId'>) | null;
  nicknames?: (string[] & Personal<'customerId'>) | null;
}

export class CustomerRenamed implements Event {
  customerId!: Uuid;
  name!: (string & Personal<'customerId'>) | null;
  reason?: (string & Personal<'customerId'>) | null;
}

export interface Customer {
  customerId: Uuid;
  name: (string & Personal<'customerId'>) | null;
  city: (string & Personal<'customerId'>) | null;
  renamed: Int;
}

@perspective({ snapshotEvery: 1 })
export class Customers implements Perspective<Customer, CustomerRegistered | CustomerRenamed> {
  apply(model: Customer | null, event: CustomerRegistered | CustomerRenamed): Customer {
    if (event instanceof CustomerRegistered) {
      return { customerId: event.customerId, name: event.name, city: event.address?.city ?? null, renamed: 0 };
    }
    return { ...model!, name: event.name, renamed: model!.renamed + 1 };
  }
}

export interface CustomerState {
  customerId: Uuid;
  name: (string & Personal<'customerId'>) | null;
}

@snapshot({ every: 1, version: 1 })
export class CustomerDecider implements Decider<CustomerState, CustomerRegistered | CustomerRenamed> {
  initial(): CustomerState {
    return { customerId: '' as Uuid, name: null };
  }
  evolve(_: CustomerState, event: CustomerRegistered | CustomerRenamed): CustomerState {
    if (event instanceof CustomerRegistered) return { customerId: event.customerId, name: event.name };
    if (event instanceof CustomerRenamed) return { customerId: event.customerId, name: event.name };
    return _;
  }
}

export class RegisterReceptor implements Receptor<Register, Registered> {
  async receive({ customerId, name, address, nicknames }: Register, context: ReceptorContext): Promise<Registered> {
    const event = Object.assign(new CustomerRegistered(), { customerId, name, address, ...(nicknames && { nicknames }) });
    context.append(customerId, event);
    // The events of the command itself are read before they are stored.
    for await (const { envelope } of context.readStream(customerId)) {
      if ((envelope.payload as CustomerRegistered).name !== name) throw new Error('The name is not plain.');
    }
    context.schedule(Object.assign(new Rename(), { customerId, name: name + ' the Later' }), { after: { hours: 1 } });
    return { customerId, name };
  }
}

export class RenameReceptor implements Receptor<Rename> {
  async receive({ customerId, name, reason }: Rename, context: ReceptorContext): Promise<void> {
    const customer = await context.load(CustomerDecider, customerId);
    if (customer.state.name === null) throw new Error('The name is unknown.');
    customer.append(Object.assign(new CustomerRenamed(), { customerId, name, ...(reason && { reason }) }));
  }
}
`;

/** Generates the service once for a test file. */
export class Customers {
  readonly #project = new TemporaryProject({ 'src/customers.ts': messages }, 'personal-');
  classes!: Readonly<Record<'Register' | 'Rename', new () => object>> & {
    readonly Customers: new () => Perspective<object, never>;
  };
  registry!: ServiceRegistry<object>;

  static async generate(): Promise<Customers> {
    const customers = new Customers();
    const project = loadProject(customers.#project.directory);
    if ('code' in project) throw new Error(project.message);
    const { diagnostics } = new Generator(project).write();
    if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    const source = join(customers.#project.directory, 'src');
    const generated = (await import(join(source, 'generated/registry.ts'))) as { registry: ServiceRegistry<object> };
    customers.registry = generated.registry;
    customers.classes = (await import(join(source, 'customers.ts'))) as Customers['classes'];
    return customers;
  }

  async start(storage: Storage, configure: (service: Service) => unknown = () => {}): Promise<Service> {
    const service = createService(this.registry)
      .addService()
      .useStorage(storage)
      .useKeyVault(vault, { inMemoryMs: 300 })
      .addSystemEventAuditing((events) => events.enableAll())
      .addServicePerspectives()
      .allowEverybody()
      .reportTo(() => {});
    configure(service);
    service.start();
    await service.ready();
    return service;
  }

  remove(): void {
    this.#project.remove();
  }
}

export const vaultText = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const vault = localKeyVault(vaultText);
