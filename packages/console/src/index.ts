export { operatorConsole, type ConsoleOptions } from './console.js';
