/** The script of the explorer: GraphiQL for the endpoint that served the page. */
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { nameEditors } from './names.js';
import { storageWithoutHeaders } from './storage-without-headers.js';
import { streamOfResults } from './stream-of-results.js';

/** GraphiQL adds an operation to its history once it shows it as running. Operations with a faster response would be missing there. */
const shortestRunMs = 50;

/** Sends an operation with the headers that the user has entered. */
async function send(operation, { headers } = {}) {
  const shown = new Promise((resolve) => setTimeout(resolve, shortestRunMs));
  const connection = new AbortController();
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(operation),
    signal: connection.signal,
  });
  if (response.headers.get('content-type').startsWith('text/event-stream')) {
    return streamOfResults(response.body, () => connection.abort());
  }
  const result = await response.json();
  await shown;
  return result;
}

const settings = {
  fetcher: send,
  storage: storageWithoutHeaders,
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
};

const page = document.querySelector('#explorer');
nameEditors(page);
createRoot(page).render(createElement(GraphiQL, settings));
