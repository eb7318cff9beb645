export { browserPage, type BrowserPage } from './browser-page.js';
export { addressOf, builtPage, pageFileRoute, type PageFile } from './page-file.js';
