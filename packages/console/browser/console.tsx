/** The operator console in the browser. */
import { render } from 'preact';
import type { Session } from '../src/contract/index.js';

const root = document.querySelector('#console')!;
const response = await fetch('console/api/session');
const session = (await response.json()) as Session;
render(<h1>{session.title}</h1>, root);
