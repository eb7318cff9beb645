export { compareDiagnostics, formatDiagnostic, type Diagnostic } from './diagnostic.js';
export {
  diagnosticCodes,
  problem,
  type DiagnosticCode,
  type DiagnosticNames,
  type Problem,
} from './diagnostic-codes.js';
