export { DueCommands } from './due-commands.js';
export { recurring, recurringDeclarationOf } from './recurring.js';
export { recurringCommandsOf } from './recurring-commands.js';
export { RecurringWorker } from './recurring-worker.js';
export { runningDueCommands } from './running-due-commands.js';
