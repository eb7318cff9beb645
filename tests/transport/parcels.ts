/** A service whose one command has every kind of type there is, reachable over both transports. */
import { join } from 'node:path';
import type { Service } from '@svc/core';
import { svc } from '@svc/fastify';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { graphQL } from '@svc/graphql';
import Fastify from 'fastify';
import { TemporaryProject } from '../generator/temporary-project.js';

const source = `
import { CommandRejectedError, commandEndpoint, NotFoundError, ValidationError } from '@svc/core';
import type { Command, Decimal, Event, Format, Int, Max, MaxLength, Min, MinItems, Pattern, Receptor, ReceptorContext, Uuid } from '@svc/core';

export type Insurance = { kind: 'none' } | { kind: 'full'; sum: Decimal } | Partial_;
export interface Partial_ { kind: 'by-part'; parts: Set<Uuid>; until: Date | null }
export interface Box { label: string & Pattern<'^[A-Z]+$'>; inside: Box[]; lid?: Box }

export interface ParcelData {
  id: Uuid;
  weight: Decimal & Min<0>;
  sent: Date;
  count: Int;
  small: Int & Min<0> & Max<10>;
  ratio: number;
  fragile: boolean;
  speed: 'slow' | 'fast';
  state: 'in-transit' | 'done';
  level: 1 | 2 | 3;
  wait: string & Format<'duration'>;
  mail: string & Format<'email'>;
  tags: Set<string>;
  sizes: [number, number];
  days: Record<string, Date>;
  code: string | Set<number>;
  extra: unknown;
  maybe: string | null;
  note?: (string & MaxLength<5>) | undefined;
  toString?: string;
  insurance: Insurance;
  boxes: Box[];
}

@commandEndpoint<SendParcel, ParcelData>({ restRoute: '/parcels', graphQLMutation: 'sendParcel' })
export class SendParcel implements Command {
  id!: Uuid;
  weight!: Decimal & Min<0>;
  sent!: Date;
  count!: Int;
  small!: Int & Min<0> & Max<10>;
  ratio!: number;
  fragile!: boolean;
  speed!: 'slow' | 'fast';
  state!: 'in-transit' | 'done';
  level!: 1 | 2 | 3;
  wait!: string & Format<'duration'>;
  mail!: string & Format<'email'>;
  tags!: Set<string>;
  sizes!: [number, number];
  days!: Record<string, Date>;
  code!: string | Set<number>;
  extra!: unknown;
  maybe!: string | null;
  note?: string & MaxLength<5>;
  insurance!: Insurance;
  boxes!: Box[] & MinItems<1>;
  from = 'here';
}

/** Its result has no type of its own in GraphQL. */
@commandEndpoint<CountParcels, [Set<number>, Record<string, Date>, string | null]>({
  restRoute: '/count',
  graphQLMutation: 'countParcels',
})
export class CountParcels implements Command {}

export class CountParcelsReceptor implements Receptor<CountParcels, [Set<number>, Record<string, Date>, string | null]> {
  receive(): [Set<number>, Record<string, Date>, string | null] {
    return [new Set([1, 2]), { monday: new Date('2026-02-02T00:00:00Z') }, null];
  }
}

const failures: Record<string, () => unknown> = {
  missing: () => new NotFoundError('There is no such parcel.'),
  refused: () => new CommandRejectedError('Not today.'),
  invalid: () => new ValidationError([{ pointer: '/count', detail: 'is too much' }]),
  bug: () => new Error('SELECT secret'),
  text: () => 'secret',
  forbidden: () => Object.assign(new Error('Not you.'), { statusCode: 403, expose: true }),
  unauthenticated: () => Object.assign(new Error('Who?'), { statusCode: 401, expose: true }),
  busy: () => Object.assign(new Error('Later.'), { statusCode: 429, expose: true }),
  away: () => Object.assign(new Error('secret'), { statusCode: 503, expose: true }),
  upstream: () => Object.assign(new Error('secret'), { statusCode: 404 }),
};

export class ParcelSent implements Event {
  constructor(readonly weight: Decimal, readonly insurance: Insurance) {}
}

export class SendParcelReceptor implements Receptor<SendParcel, ParcelData> {
  receive(command: SendParcel, context: ReceptorContext): ParcelData {
    context.append(command.id, new ParcelSent(command.weight, command.insurance));
    const failure = failures[command.maybe ?? ''];
    if (failure !== undefined) throw failure();
    const { from, ...data } = command;
    return { ...data, extra: { given: command.extra, from } };
  }
}
`;

export interface Parcels {
  readonly url: string;
  readonly service: Service;
  readonly stop: () => Promise<void>;
}

/** Generates the service, and serves it over both transports. */
export async function serveParcels(): Promise<Parcels> {
  const project = new TemporaryProject({ 'src/parcels.ts': source }, 'parcels-');
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  project.write(
    'src/service.ts',
    "import { createService, InMemoryStorage } from '@svc/core';\nimport { registry } from './generated/registry.js';\nexport const service = createService(registry).useStorage(new InMemoryStorage()).addSystemEventAuditing((options) => options.enableAll());\n",
  );
  const { service } = (await import(join(project.directory, 'src/service.ts'))) as { service: Service };
  const app = Fastify();
  await app.register(svc(service, { graphql: graphQL() }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    service,
    stop: async () => {
      await app.close();
      await service.stop();
      project.remove();
    },
  };
}
