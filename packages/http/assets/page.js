/** The script of the API page: Swagger UI with the document of this service, and no address of another server. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { nameElements } from './names.js';

// The style has a dark form. Only the standalone layout of Swagger UI, which svc does not use, selects it.
const dark = matchMedia('(prefers-color-scheme: dark)');
const showColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showColors);
showColors();

const page = document.querySelector('#api');
nameElements(page);

SwaggerUI({
  domNode: page,
  // Relative to the page, so that it is right under a prefix and behind a proxy that removes one.
  url: new URL('openapi.json', document.baseURI).href,
  deepLinking: true,
  displayRequestDuration: true,
  // The default sends the document to a validator on the internet.
  validatorUrl: null,
  // Credentials stay in memory, and are gone when the page is closed.
  persistAuthorization: false,
});
