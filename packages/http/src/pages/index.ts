export { addressOf, builtPage, pageFileRoute, type PageFile } from './page-file.js';
