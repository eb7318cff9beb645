/** The script of the API page: Swagger UI with the document of this service, and no address of another server. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

// The style has a dark form. Only the standalone layout of Swagger UI, which svc does not use, selects it.
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);

SwaggerUI({
  domNode: document.querySelector('#api'),
  // Relative to the page, so that it is right under a prefix and behind a proxy that removes one.
  url: new URL('openapi.json', document.baseURI).href,
  deepLinking: true,
  displayRequestDuration: true,
  // The default sends the document to a validator on the internet.
  validatorUrl: null,
  // Credentials stay in memory, and are gone when the page is closed.
  persistAuthorization: false,
});
