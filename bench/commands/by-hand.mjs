/**
 * What a team writes without a framework for commands: Fastify with JSON schemas, and `pg` with one transaction per request that inserts the order
 * and a row of audit. The address names the database: `by-hand.mjs?target=<url>`.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { orderCreatedSchema, orderSchema } from '../lib/order-schema.mjs';
import { portOf } from '../lib/port-of.mjs';
import { Fastify } from '../lib/repository-fastify.mjs';

/** The default of `pg`. */
const connections = 10;

export async function listen() {
  const url = new URL(import.meta.url).searchParams.get('target') ?? '';
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(`
    CREATE TABLE orders (id uuid PRIMARY KEY, customer_id uuid NOT NULL, body jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE audit (id bigserial PRIMARY KEY, order_id uuid NOT NULL, actor text NOT NULL, action text NOT NULL, body jsonb NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`);
  const app = Fastify();
  app.post('/orders', { schema: { body: orderSchema, response: { 200: orderCreatedSchema } } }, async ({ body }) => {
    const order = /** @type {{ customerId: string }} */ (body);
    const orderId = randomUUID();
    const text = JSON.stringify(order);
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query({
        name: 'order',
        text: 'INSERT INTO orders (id, customer_id, body) VALUES ($1, $2, $3)',
        values: [orderId, order.customerId, text],
      });
      await client.query({
        name: 'audit',
        text: 'INSERT INTO audit (order_id, actor, action, body) VALUES ($1, $2, $3, $4)',
        values: [orderId, 'anonymous', 'CreateOrder', text],
      });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
    return { orderId };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
