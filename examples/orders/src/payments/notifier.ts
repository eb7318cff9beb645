export interface Notifier {
  notify(text: string): Promise<void>;
}

/** Prints what it is given. */
export class ConsoleNotifier implements Notifier {
  notify(text: string): Promise<void> {
    console.log(text);
    return Promise.resolve();
  }
}
