import type { ModelRecord } from '../../storage/index.js';
import type { ModelOwners } from '../model-owner.js';
import type { LivePlace } from './live-place.js';
import type { LiveQuery } from './live-query.js';
import type { LiveStep, LiveWindow } from './live-window.js';

/** One client of a live query. It asks for the next step when it can send it, so a slow client skips states instead of collecting them. */
export class LiveWatch {
  readonly #group: LiveGroup;
  readonly #leave: () => void;
  #place: LivePlace | 'unknown' | null;
  #sent: LiveWindow | null = null;
  #changed: () => void = () => {};
  #ended: () => void = () => {};
  #isOver = false;

  /** `place`: where the client was; null: it has nothing. `leave`: called once, when it ends. */
  constructor(group: LiveGroup, place: LivePlace | 'unknown' | null, leave: () => void) {
    this.#group = group;
    this.#place = place;
    this.#leave = leave;
  }

  /** Whether the query has no model now. */
  get isEmpty(): boolean {
    return this.#group.window?.isEmpty ?? true;
  }

  /** Calls `changed` when there may be a step, and `ended` when the service ends the watch. */
  listen(changed: () => void, ended: () => void): void {
    this.#changed = changed;
    this.#ended = ended;
    if (this.#isOver) ended();
  }

  /** The next step for the client. Null: there is none. */
  take(): LiveStep | null {
    const { window } = this.#group;
    const sent = this.#sent;
    if (window === null || window === sent || this.#isOver) return null;
    this.#sent = window;
    if (sent !== null) return this.#group.stepSince(sent);
    const place = this.#place;
    this.#place = null;
    const resumed = place === null || place === 'unknown' ? null : window.resume(place);
    return resumed ?? window.page(place !== null);
  }

  /** Called when the models of the query may have changed. */
  tell(): void {
    this.#changed();
  }

  /** The client is gone. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
  }

  /** The service ends it. */
  end(): void {
    if (this.#isOver) return;
    this.close();
    this.#ended();
  }
}

/** All clients of the same query on this host. They share its models, and the steps between them. */
export class LiveGroup {
  readonly query: LiveQuery;
  readonly watches = new Set<LiveWatch>();
  /** The models as last read; null: not read yet. */
  window: LiveWindow | null = null;
  /** The last step, and the windows that it connects. */
  #step: LiveStep | null = null;
  #from: LiveWindow | null = null;
  #to: LiveWindow | null = null;

  constructor(query: LiveQuery) {
    this.query = query;
  }

  /** Whether a changed model may belong to the query, or belonged to it. */
  concerns(model: ModelRecord, owners: ModelOwners): boolean {
    const { key, owner } = this.query;
    if (this.window?.has(model.id) === true) return true;
    return (key === undefined || key === model.key) && (owner === null || owner.owner === owners.ofModel(model));
  }

  /** Whether its clients have other models than these. */
  differsFrom(window: LiveWindow): boolean {
    return this.window === null || window.since(this.window) !== null;
  }

  /** Whether its clients have other models at the same place. */
  repeatsPlace(window: LiveWindow): boolean {
    return this.window !== null && window.isAtPlaceOf(this.window) && this.differsFrom(window);
  }

  /** Replaces the models, and tells the clients. */
  show(window: LiveWindow): void {
    this.window = window;
    for (const watch of this.watches) watch.tell();
  }

  /** The step from an earlier window to the current one, computed once for all clients that have the earlier one. */
  stepSince(earlier: LiveWindow): LiveStep | null {
    if (this.#from !== earlier || this.#to !== this.window) {
      this.#from = earlier;
      this.#to = this.window;
      this.#step = this.window!.since(earlier);
    }
    return this.#step;
  }
}
