/** Maps broker users to hosts. The broker validates the user of a message, so the user proves the host. */
export type UsersOfHosts = Readonly<Record<string, string | readonly string[]>>;

export class BrokerUsers {
  readonly #ofHosts: ReadonlyMap<string, readonly string[]>;
  readonly #hostsOf = new Map<string, readonly string[]>();

  constructor(users: UsersOfHosts) {
    this.#ofHosts = new Map(
      Object.entries(users).map(([host, some]) => [host, typeof some === 'string' ? [some] : some]),
    );
  }

  /** The hosts that the user of a message represents; null: the message has no user. By default a user represents the host of its name. */
  hostsOf(user: unknown): readonly string[] | null {
    if (typeof user !== 'string') return null;
    let known = this.#hostsOf.get(user);
    if (known === undefined) this.#hostsOf.set(user, (known = this.#findHosts(user)));
    return known;
  }

  canProve(hostName: string): boolean {
    const users = this.#ofHosts.get(hostName) ?? [hostName];
    return users.some((user) => this.hostsOf(user)!.includes(hostName));
  }

  #findHosts(user: string): readonly string[] {
    const named = [...this.#ofHosts].filter(([, users]) => users.includes(user)).map(([host]) => host);
    return named.length > 0 || this.#ofHosts.has(user) ? named : [user];
  }
}
