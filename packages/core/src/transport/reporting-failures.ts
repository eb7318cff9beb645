import type { ReceiveMessages } from './transport.js';

/** Reports the first of consecutive failures to receive messages: transports retry without a report. */
export function reportingFailures(receive: ReceiveMessages, report: (error: unknown) => void): ReceiveMessages {
  let isReported = false;
  return async (messages) => {
    try {
      const unprocessable = await receive(messages);
      isReported = false;
      return unprocessable;
    } catch (error) {
      if (!isReported) report(error);
      isReported = true;
      throw error;
    }
  };
}
