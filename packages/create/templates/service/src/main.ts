import { graphQL } from '@svc/graphql'; //? graphql
import { run } from '@svc/http';
import { authentication } from './authentication.js'; //? jwt
import { newService } from './service.js';
import { storage } from './storage.js';
import { transport } from './transport.js'; //? broker

const service = newService(storage());
service.addAuthentication(authentication(process.env)); //? jwt
service.useTransport(transport()).addAmqpBrokerHealthChecks(); //? broker

await run(service, {
  openapi: { title: 'template-service', version: '0.1.0' },
  graphql: graphQL(), //? graphql
});
