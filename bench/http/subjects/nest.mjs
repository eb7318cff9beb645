/**
 * NestJS on Fastify: a controller that sends a command to the command bus, and its handler. No validation and no event, so it does
 * less than svc. The decorators are applied by hand, as TypeScript would compile them.
 */
// oxlint-disable-next-line import/no-unassigned-import -- Nest wants it first
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { portOf } from '../../lib/port-of.mjs';

// oxlint-disable-next-line typescript/no-extraneous-class -- what a command is in Nest
class CreateOrder {
  /** @param {import('../../lib/orders.mjs').Order} order */
  constructor({ customerId, lineItems, shippingAddress }) {
    this.customerId = customerId;
    this.lineItems = lineItems;
    this.shippingAddress = shippingAddress;
  }
}

class CreateOrderHandler {
  async execute() {
    return { orderId: randomUUID() };
  }
}
CommandHandler(CreateOrder)(CreateOrderHandler);

class OrdersController {
  #commands;

  /** @param {CommandBus} commands */
  constructor(commands) {
    this.#commands = commands;
  }

  /** @param {import('../../lib/orders.mjs').Order} body */
  create(body) {
    return this.#commands.execute(new CreateOrder(body));
  }
}
const create = Object.getOwnPropertyDescriptor(OrdersController.prototype, 'create') ?? {};
Post('orders')(OrdersController.prototype, 'create', create);
HttpCode(200)(OrdersController.prototype, 'create', create);
Body()(OrdersController.prototype, 'create', 0);
Reflect.defineMetadata('design:paramtypes', [CommandBus], OrdersController);
Controller()(OrdersController);

// oxlint-disable-next-line typescript/no-extraneous-class -- what a module is in Nest
class OrdersModule {}
Module({ imports: [CqrsModule.forRoot()], controllers: [OrdersController], providers: [CreateOrderHandler] })(
  OrdersModule,
);

export async function listen() {
  const app = await NestFactory.create(OrdersModule, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  return portOf(app.getHttpServer());
}
