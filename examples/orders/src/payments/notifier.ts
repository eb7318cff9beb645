export interface Notifier {
  notify(text: string): Promise<void>;
}

/** Prints notifications. */
export class ConsoleNotifier implements Notifier {
  notify(text: string): Promise<void> {
    console.log(text);
    return Promise.resolve();
  }
}
