/** The subjects. Each gets what `prepare` made from an order's text, and returns a number that depends on its result. */
import { Issues } from '@svc/core/json';
import fastJsonStringify from 'fast-json-stringify';
import { CreateOrder, createOrders } from '../http/svc/dist/index.js';
import { orderSchema } from '../lib/order-schema.mjs';
import { standaloneValidator } from './standalone-validator.mjs';

/** @typedef {{ name: string, prepare: (text: string) => any, act: (value: any) => number }} ReadOrWrite */

const descriptor = createOrders().registry.messages.find((message) => message.class === CreateOrder);
if (descriptor === undefined) throw new Error('The registry has no CreateOrder.');
const { read, write } = descriptor;
const validate = standaloneValidator(orderSchema, { allErrors: false });
const validateAll = standaloneValidator(orderSchema, { allErrors: true });
const stringifyWithSchema = fastJsonStringify(/** @type {any} */ (orderSchema));

/** @type {readonly ReadOrWrite[]} */
export const readSubjects = [
  { name: 'parse', prepare: (text) => text, act: (text) => JSON.parse(text).lineItems.length },
  { name: 'ajv', prepare: JSON.parse, act: (body) => (validate(body) ? body.lineItems.length : -1e9) },
  { name: 'ajvAll', prepare: JSON.parse, act: (body) => (validateAll(body) ? body.lineItems.length : -1e9) },
  {
    name: 'reader',
    prepare: JSON.parse,
    // As the HTTP packages call it: issues are collected, and there are none.
    act(body) {
      const issues = new Issues(body);
      const command = read(body, issues);
      return issues.count === 0 ? command.lineItems.length : -1e9;
    },
  },
];

/** @param {string} text */
const command = (text) => {
  const body = JSON.parse(text);
  return read(body, new Issues(body));
};

/** @type {readonly ReadOrWrite[]} */
export const writeSubjects = [
  { name: 'stringify', prepare: command, act: (order) => JSON.stringify(order).length },
  { name: 'fastJsonStringify', prepare: command, act: (order) => stringifyWithSchema(order).length },
  { name: 'writer', prepare: command, act: (order) => write(order).length },
];

checkThatAllAgree();

function checkThatAllAgree() {
  const good = {
    customerId: '018f3b5c-7d2a-7c3e-9f10-2b3c4d5e6f70',
    lineItems: [{ productId: 'a', quantity: 1, unitPrice: '12.50' }],
    shippingAddress: { street: 's', city: 'c', state: 't', zipCode: 'z' },
  };
  const [item] = good.lineItems;
  const bad = [
    { ...good, customerId: 'x' },
    { ...good, extra: 1 },
    { ...good, lineItems: [{ ...item, quantity: 0 }] },
    { ...good, lineItems: [{ ...item, quantity: 1.5 }] },
    { ...good, lineItems: [{ ...item, unitPrice: '12,50' }] },
    { ...good, shippingAddress: { street: 's', city: 'c', state: 't' } },
  ];
  for (const { name, act } of readSubjects.slice(1)) {
    if (act(good) !== 1 || bad.some((order) => act(order) >= 0))
      throw new Error(`${name} does not check as the others.`);
  }
  const order = command(JSON.stringify(good));
  for (const { name, act } of writeSubjects) {
    if (act(order) !== JSON.stringify(good).length) throw new Error(`${name} does not write as the others.`);
  }
}
