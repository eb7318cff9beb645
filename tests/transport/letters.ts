/** A service whose perspectives have every kind of model there is, read over both transports. */
import { join } from 'node:path';
import { permission, UnauthenticatedError, type Authenticator, type SecurityContext, type Service } from '@svc/core';
import { svc } from '@svc/fastify';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { graphQL, type GraphQLOptions } from '@svc/graphql';
import Fastify from 'fastify';
import { TemporaryProject } from '../generator/temporary-project.js';

const source = `
import { commandEndpoint, perspective, ScopeFilters } from '@svc/core';
import type { Command, Decimal, Event, Format, Int, Max, Min, Perspective, Receptor, ReceptorContext, Uuid } from '@svc/core';

export type Stamp = { kind: 'none' } | { kind: 'paid'; sum: Decimal } | Registered;
export interface Registered { kind: 'by-hand'; numbers: Set<Uuid>; until: Date | null }
export interface Page_ { text: string; notes: Page_[]; back?: Page_ }

export interface Letter {
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
  tags: Set<string>;
  sizes: [number, number];
  days: Record<string, Date>;
  code: string | Set<number>;
  extra: unknown;
  maybe: string | null;
  note?: string;
  toString?: string;
  stamp: Stamp;
  pages: Page_[];
}

@commandEndpoint<WriteLetter, void>({ restRoute: '/write', graphQLMutation: 'writeLetter' })
export class WriteLetter implements Command { letter!: Letter }

export class LetterWritten implements Event { constructor(readonly letter: Letter) {} }

export class WriteLetterReceptor implements Receptor<WriteLetter, void> {
  receive({ letter }: WriteLetter, context: ReceptorContext): void {
    context.append(letter.id, new LetterWritten(letter));
  }
}

/** A letter. */
@perspective({ route: '/letters', graphQLQuery: 'letter', graphQLListQuery: 'letters', indexed: ['weight', 'sent', 'count', 'ratio', 'fragile', 'speed', 'maybe'] })
export class Letters implements Perspective<Letter, LetterWritten> {
  apply(_letter: Letter | null, { letter }: LetterWritten): Letter | null {
    return letter.maybe === 'gone' ? null : letter;
  }
}

@perspective({ route: '/stamps', graphQLQuery: 'stamp', graphQLListQuery: 'stamps' })
export class Stamps implements Perspective<Stamp, LetterWritten> {
  apply(_stamp: Stamp | null, { letter }: LetterWritten): Stamp { return letter.stamp; }
}

@perspective({ route: '/days', graphQLQuery: 'day', graphQLListQuery: 'days' })
export class Days implements Perspective<Record<string, Date>, LetterWritten> {
  apply(_days: Record<string, Date> | null, { letter }: LetterWritten): Record<string, Date> { return letter.days; }
}

@perspective({ route: '/counts', graphQLQuery: 'count', graphQLListQuery: 'counts' })
export class Counts implements Perspective<{ count: Int; each: { sent: Date }[] }, LetterWritten> {
  apply(_count: object | null, { letter }: LetterWritten): { count: Int; each: { sent: Date }[] } {
    return { count: letter.count, each: [{ sent: letter.sent }] };
  }
}

@perspective({ graphQLQuery: 'secret', graphQLListQuery: 'secrets', route: '/secrets', requires: 'letters:read', scope: ScopeFilters.Tenant })
export class Secrets implements Perspective<{ id: Uuid }, LetterWritten> {
  apply(_model: object | null, { letter }: LetterWritten): { id: Uuid } { return { id: letter.id }; }
}

/** Without a route. */
@perspective({ graphQLListQuery: 'onlyHere', route: '', allowAnonymous: true })
export class OnlyHere implements Perspective<{ id: Uuid }, LetterWritten> {
  apply(_model: object | null, { letter }: LetterWritten): { id: Uuid } { return { id: letter.id }; }
}

@perspective({ route: '/only-there', graphQLQuery: '' })
export class OnlyThere implements Perspective<{ there: Uuid }, LetterWritten> {
  apply(_model: object | null, { letter }: LetterWritten): { there: Uuid } { return { there: letter.id }; }
}
`;

const host = `
import { createService, InMemoryStorage } from '@svc/core';
import { registry } from './generated/registry.js';
export const service = createService(registry).useStorage(new InMemoryStorage())
  .addSystemEventAuditing((options) => options.enableAll()).addServicePerspectives();
`;

/** Callers by what they send in the header `authorization`. */
const callers: Readonly<Record<string, SecurityContext>> = {
  reader: caller({ tenantId: 'a', userId: 'r' }, 'letters:read'),
  stranger: caller({ tenantId: 'b', userId: 's' }, 'letters:read'),
  clerk: caller({ tenantId: 'a', userId: 'c' }),
  homeless: caller({ userId: 'h' }, 'letters:read'),
};

function caller(scope: SecurityContext['scope'], ...permissions: string[]): SecurityContext {
  return { scope, roles: new Set(), permissions: new Set(permissions.map(permission)), source: 'test' };
}

const byName: Authenticator = {
  scheme: 'Test',
  credentialIn: (headers) => headers('authorization') ?? null,
  authenticate: (credential) => {
    const context = callers[credential];
    return context === undefined ? Promise.reject(new UnauthenticatedError()) : Promise.resolve({ context });
  },
};

export interface Letters {
  readonly url: string;
  readonly service: Service;
  /** What was logged at the level `error` or above. */
  readonly errors: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Generates the service, and serves it over both transports. */
export async function serveLetters(options: GraphQLOptions = {}): Promise<Letters> {
  const project = new TemporaryProject({ 'src/letters.ts': source }, 'letters-');
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  project.write('src/service.ts', host);
  const { service } = (await import(join(project.directory, 'src/service.ts'))) as { service: Service };
  service.addAuthentication(byName);
  const errors: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line) => void errors.push(line) } } });
  await app.register(svc(service, { graphql: graphQL(options) }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    service,
    errors,
    stop: async () => {
      await app.close();
      await service.stop();
      project.remove();
    },
  };
}
