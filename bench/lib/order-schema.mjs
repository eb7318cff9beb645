/** JSON schemas with the same rules as the types of http/svc/src/create-order.ts. */

export const orderSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['customerId', 'lineItems', 'shippingAddress'],
  properties: {
    customerId: { type: 'string', format: 'uuid' },
    lineItems: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['productId', 'quantity', 'unitPrice'],
        properties: {
          productId: { type: 'string' },
          quantity: { type: 'integer', minimum: 1 },
          unitPrice: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$' },
        },
      },
    },
    shippingAddress: {
      type: 'object',
      additionalProperties: false,
      required: ['street', 'city', 'state', 'zipCode'],
      properties: {
        street: { type: 'string' },
        city: { type: 'string' },
        state: { type: 'string' },
        zipCode: { type: 'string' },
      },
    },
  },
};

export const orderCreatedSchema = {
  type: 'object',
  required: ['orderId'],
  properties: { orderId: { type: 'string', format: 'uuid' } },
};
