import type { ReceiveMessages } from './transport.js';

/** Tells of messages that cannot be taken, once for as long as that lasts: transports hand them over again and again without a word. */
export function reportingFailures(receive: ReceiveMessages, report: (error: unknown) => void): ReceiveMessages {
  let isTold = false;
  return async (messages) => {
    try {
      const refused = await receive(messages);
      isTold = false;
      return refused;
    } catch (error) {
      if (!isTold) report(error);
      isTold = true;
      throw error;
    }
  };
}
