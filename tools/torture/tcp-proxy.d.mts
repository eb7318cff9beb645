export class TcpProxy {
  static to(targetPort: number): Promise<TcpProxy>;
  /** How many connections were ever made through it. */
  readonly connections: number;
  /** The URL of a server, as one reaches it through here. */
  through(url: string): string;
  /** Cuts every connection; new ones are let through. */
  cut(): void;
  /** Drops what the server answers over the connections that there are. */
  loseAnswers(): void;
  /** Carries nothing more over the connections that there are, and tells no side. */
  freeze(): void;
  /** Cuts every connection and lets no new one through. */
  takeDown(): void;
  bringUp(): void;
  close(): Promise<void>;
}
