export type { AnchoredCheckpoint, CheckpointAnchor } from './anchor.js';
export { checkedSealOptions, type CheckedSealOptions } from './checked-options.js';
export { readCheckpoint, type Checkpoint } from './checkpoint.js';
export { TamperKind, type Finding } from './finding.js';
export { privateSealKey, publicSealKey, type PublicSealKey } from './seal-keys.js';
export type { SealOptions } from './seal-options.js';
export { SealingWorker, type SealsStanding } from './sealing-worker.js';
export type { SealedLog, Verification, VerifyOptions } from './verification.js';
export { verifySeals } from './verify-seals.js';
export {
  fileAnchor,
  httpAnchor,
  outputAnchor,
  readAnchorFile,
  type FileAnchorOptions,
  type HttpAnchorOptions,
} from './anchor-file.js';
export { exportLog, verifyExport, type ExportedFile } from './export-log.js';
export { checkProof, proveEvent, type CheckedProof } from './proof.js';
export { sealedLogOf } from './sealed-log.js';
