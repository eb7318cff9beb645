/** What happens in a simulation: hosts, requests and faults, all decided by the seed. Steps can be left out to find a shorter history. */
import { Random } from '../fuzz/random.mjs';

const tenants = ['t1', 't2'];
const ledgers = ['a', 'b'];
/** Hosts reject commands whose time is five minutes or more ahead. */
const largestSkewMs = 140_000;

export function planOf(seed) {
  return new Planning(new Random(seed, 1)).plan(seed);
}

class Planning {
  #random;
  #streams;
  #accounts;
  #orders = [];
  #requests = 0;

  constructor(random) {
    this.#random = random;
    this.#streams = Object.fromEntries(
      tenants.map((tenant) => [tenant, [random.uuid(), random.uuid(), random.uuid()]]),
    );
    this.#accounts = Object.fromEntries(tenants.map((tenant) => [tenant, random.uuid()]));
  }

  plan(seed) {
    const random = this.#random;
    const hosts = [
      ...this.#hosts('east', 'west', random.between(1, 3)),
      ...this.#hosts('west', 'east', random.between(1, 2)),
    ];
    const seconds = random.between(1, 4);
    const times = Array.from({ length: random.between(1, 6) }, () => 500 + random.below(seconds * 1_000));
    const near = () => random.pick(times) + random.below(random.pick([3, 30, 300, 3_000]));
    const requests = Array.from({ length: random.between(5, random.pick([20, 60, 150])) }, () => ({
      at: near(),
      ...this.#request(hosts),
    }));
    const faults = Array.from({ length: random.below(12) }, () => ({ at: near(), ...this.#fault(hosts) }));
    const steps = [...requests, ...faults].toSorted((a, b) => a.at - b.at);
    return { seed, hosts, hasTicks: random.chance(0.2), streams: this.#streams, steps };
  }

  #hosts(service, other, count) {
    const random = this.#random;
    const isSkewed = random.chance(0.6);
    return Array.from({ length: count }, (_, i) => ({
      name: `${service}-${i + 1}`,
      service,
      other,
      skewMs: isSkewed ? this.#skew() : 0,
    }));
  }

  #skew() {
    const random = this.#random;
    const most = random.pick([50, 5_000, largestSkewMs]);
    return random.between(-most, most);
  }

  #request(hosts) {
    const random = this.#random;
    const tenant = random.pick(tenants);
    const { name: host, service } = random.pick(hosts);
    if (random.chance(0.1)) {
      const perspective = random.pick(['Streams', 'Ledgers']);
      const key = perspective === 'Streams' ? random.pick(this.#streams[tenant]) : random.pick(ledgers);
      return { kind: 'read', host, tenant, perspective, key };
    }
    const label = `${tenant}.${this.#requests++}`;
    const key = random.chance(0.5) ? `key-${label}` : null;
    return { kind: 'request', host, service, tenant, label, key, ...this.#command(service, tenant, label) };
  }

  #command(service, tenant, label) {
    const random = this.#random;
    const kind = random.weighted([
      [5, 'Record'],
      [3, 'Deposit'],
      [2, 'PlaceOrder'],
      [2, 'PayOrder'],
    ]);
    if (kind === 'Record') return this.#record(tenant, label);
    if (kind === 'Deposit') {
      // Each service has its own accounts: only recorded events go to the other one.
      const accountId = this.#accounts[tenant].replace(/^./, service === 'east' ? 'e' : 'a');
      return { command: 'Deposit', model: null, properties: { accountId, label } };
    }
    const own = this.#orders.filter((order) => order.service === service && order.tenant === tenant);
    if (kind === 'PayOrder' && own.length > 0) {
      const { orderId } = random.pick(own);
      return { command: 'PayOrder', model: null, properties: { orderId, label } };
    }
    const orderId = random.uuid();
    this.#orders.push({ service, tenant, orderId });
    const times = { payWithinMs: random.pick([50, 500, 2_000]), remindAfterMs: random.pick([20, 300, 1_500]) };
    return { command: 'PlaceOrder', model: null, properties: { orderId, label, ...times } };
  }

  #record(tenant, label) {
    const random = this.#random;
    const streamId = random.pick(this.#streams[tenant]);
    const ledger = random.pick(ledgers);
    const reads = random.chance(0.3) ? [random.pick(this.#streams[tenant])] : [];
    const model = random.chance(0.3)
      ? random.pick([
          { perspective: 'Streams', key: streamId },
          { perspective: 'Ledgers', key: ledger },
        ])
      : null;
    return { command: 'Record', model, properties: { streamId, ledger, label, reads } };
  }

  #fault(hosts) {
    const random = this.#random;
    const { name: host, service } = random.pick(hosts);
    const ms = random.pick([200, 1_000, 4_000]);
    const create = random.weighted([
      [
        6,
        () => ({
          kind: 'crash',
          host,
          calls: random.between(1, 60),
          isLastSent: random.chance(0.5),
          downMs: this.#down(),
        }),
      ],
      [2, () => ({ kind: 'stop', host, downMs: this.#down() })],
      [3, () => ({ kind: 'freeze', host, calls: random.between(1, 40), ms: random.pick([100, 1_500, 3_000, 4_500]) })],
      [2, () => ({ kind: 'clock', host, skewMs: this.#skew() })],
      [5, () => ({ kind: 'faults', target: 'database', host: random.chance(0.5) ? host : null, ms, ...this.#rates() })],
      [4, () => ({ kind: 'faults', target: 'broker', host: random.chance(0.5) ? host : null, ms, ...this.#rates() })],
      [1, () => ({ kind: 'interrupt', target: service, ms })],
      [1, () => ({ kind: 'interrupt', target: 'broker', ms })],
      [2, () => ({ kind: 'lose leases', service })],
      [3, () => this.#rebuild(host)],
    ]);
    return create();
  }

  #rebuild(host) {
    const random = this.#random;
    const perspective = random.pick(['Streams', 'Ledgers']);
    const mode = random.pick(['BlueGreen', 'InPlace', 'SelectedStreams']);
    const streams = mode === 'SelectedStreams' ? { streams: this.#streams[random.pick(tenants)] } : {};
    return { kind: 'rebuild', host, perspective, options: { mode, ...streams } };
  }

  #down() {
    return this.#random.pick([20, 500, 2_500]);
  }

  #rates() {
    const random = this.#random;
    const rate = () => random.pick([0, 0, 0.05, 0.3]);
    return { before: rate(), after: rate(), slow: rate() };
  }
}
