/** The operator console in the browser. */
import { render } from 'preact';
import { App } from './shell/app.js';

render(<App />, document.querySelector('#console')!);
