import { freePorts } from '../../tools/ports/index.mjs';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { bundledProgram } from '../bundled-program.js';
import { HaproxyRig } from './haproxy-rig.js';
import { Load } from './load.js';

export { shortStages } from './haproxy-rig.js';

/** examples/orders on one PostgreSQL database, behind an HAProxy. */
export class Rig extends HaproxyRig {
  readonly database: TestDatabase;

  private constructor(
    program: string,
    database: TestDatabase,
    ...rest: [ports: readonly number[], slots: { blue: number; green: number }, more: object]
  ) {
    super([program, database.url], ...rest);
    this.database = database;
  }

  static async start(slots = { blue: 1, green: 1 }, more: object = {}): Promise<Rig> {
    const program = await bundledProgram(new URL('orders-instance.mjs', import.meta.url));
    const ports = await freePorts(1 + slots.blue + slots.green);
    const rig = new Rig(program, await createDatabase(), ports, slots, more);
    await rig.startHaproxy();
    return rig;
  }

  load(callers?: number): Load {
    return new Load(this.port, callers);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.database.remove();
  }
}
