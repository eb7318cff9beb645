/** The OpenAPI parts of the tests' service, as the generator writes them. */
export const orderOpenApi = {
  paths: {
    '/orders': {
      post: {
        operationId: 'CreateOrder',
        summary: 'Create order',
        description: 'Places an order for a customer. <b>Not bold</b> & "quoted".',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateOrder' } } },
        },
        responses: {
          '200': {
            description: 'The result of the command.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderCreated' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Address: {
        type: 'object',
        required: ['street', 'city', 'state', 'zipCode'],
        properties: {
          street: { type: 'string' },
          city: { type: 'string' },
          state: { type: 'string' },
          zipCode: { type: 'string', pattern: '^[0-9]{5}$', description: 'Five digits.' },
        },
        additionalProperties: false,
      },
      CreateOrder: {
        type: 'object',
        required: ['customerId', 'lineItems', 'shippingAddress'],
        properties: {
          customerId: { type: 'string', format: 'uuid', description: 'Who orders.' },
          lineItems: { type: 'array', items: { $ref: '#/components/schemas/LineItem' }, minItems: 1 },
          shippingAddress: { $ref: '#/components/schemas/Address', description: 'Where it goes.' },
          attributes: {},
        },
        additionalProperties: false,
        description: 'Places an order for a customer.',
      },
      LineItem: {
        type: 'object',
        required: ['productId', 'quantity', 'unitPrice'],
        properties: {
          productId: { type: 'string' },
          quantity: { type: 'integer', minimum: 1 },
          unitPrice: {
            type: 'string',
            format: 'decimal',
            pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
            maxLength: 1_000,
          },
        },
        additionalProperties: false,
      },
      OrderCreated: {
        type: 'object',
        required: ['orderId', 'total'],
        properties: { orderId: { type: 'string', format: 'uuid' }, total: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
};
