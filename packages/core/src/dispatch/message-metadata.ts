/** Facts that behaviors and receptors pass on to each other about one message, by name; `ReceptorName` and `ResponseType` are among them. */
export interface MessageMetadata {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}
