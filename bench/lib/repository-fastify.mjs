/**
 * The copy of Fastify that `@svc/fastify` itself uses. A plain import would find the peers' copy below bench/; bare Fastify and
 * svc are to differ in nothing but svc.
 */
import { createRequire } from 'node:module';

/** @type {typeof import('fastify').default} */
export const Fastify = createRequire(import.meta.resolve('@svc/fastify'))('fastify');
