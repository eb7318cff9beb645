/** Facts about one message that behaviors and receptors share, by name, including `ReceptorName` and `ResponseType`. */
export interface MessageMetadata {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}
