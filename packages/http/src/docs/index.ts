export { apiPageRoutes } from './api-page.js';
