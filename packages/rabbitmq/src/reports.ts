import { reportToConsole } from '@svc/core';

type Report = (error: unknown) => void;

/** Where failures without a caller are reported: to the function in the options, or else to the service that uses the transport. */
export class Reports {
  readonly #isOwn: boolean;
  #current: Report;

  constructor(own: Report | undefined) {
    this.#isOwn = own !== undefined;
    this.#current = own ?? reportToConsole;
  }

  readonly report: Report = (error) => this.#current(error);

  useService(report: Report): void {
    if (!this.#isOwn) this.#current = report;
  }
}
