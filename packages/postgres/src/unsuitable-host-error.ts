/** A host of the URL accepts connections, but not of the kind that `target_session_attrs` requires; or no host can be used. */
export class UnsuitableHostError extends Error {
  override readonly name = 'UnsuitableHostError';
}
