export { reportToLog } from './report-to-log.js';
export {
  structuredLogs,
  type ActiveTrace,
  type StructuredLogs,
  type StructuredLogsOptions,
} from './structured-logs.js';
