export { DueCommands } from './due-commands.js';
export { recurring, recurringDeclarationOf } from './recurring.js';
export { recurringCommandsOf, storeRecurring, type RecurringCommands } from './recurring-commands.js';
export { runningDueCommands } from './running-due-commands.js';
