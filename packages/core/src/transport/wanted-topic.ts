/** The types that a host wants from one topic. */
export interface WantedTopic {
  readonly topic: string;
  /** Messages of other types need not be delivered; the host ignores them. */
  readonly types: readonly string[];
}
