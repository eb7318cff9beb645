/**
 * The Fastify instance that `@svc/fastify` uses. A plain import would find the copy below bench/; Fastify and svc must differ in
 * nothing but svc.
 */
import { createRequire } from 'node:module';

/** @type {typeof import('fastify').default} */
export const Fastify = createRequire(import.meta.resolve('@svc/fastify'))('fastify');
