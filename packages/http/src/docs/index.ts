export { renderPage } from './page.js';
export { style } from './style.js';
