/** Uses the console without a pointer: only keys are pressed, and the focus decides what they do. */
import type { Page } from 'playwright-core';
import { expectShown } from './console-page.js';

/** How many times Tab is pressed before the search ends: more than any view has elements. */
const mostSteps = 250;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Follows a link of the navigation, or presses a button around the views. */
  async open(name: string, role: 'link' | 'button' = 'link'): Promise<void> {
    await this.#start();
    await this.#tabTo(name, role === 'link' ? 'nav a' : 'header button');
    await this.#page.keyboard.press('Enter');
  }

  /** Follows the first link of the view with this name. */
  async follow(name: string): Promise<void> {
    await this.#reach('link', name);
    await this.#page.keyboard.press('Enter');
  }

  /** Chooses a row with the space bar. */
  async choose(name: string): Promise<void> {
    await this.#reach('checkbox', name);
    await this.#page.keyboard.press('Space');
  }

  /** Presses the first button with this name, fills its dialog, and confirms with Enter in the field of the reason. */
  async act(name: string, reason: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#reach('button', name);
    await this.#page.keyboard.press('Enter');
    const dialog = this.#page.getByRole('dialog');
    await expectShown(dialog);
    for (const [label, value] of Object.entries(fields)) await this.#fill(label, value);
    await this.#fill('Reason', reason);
    await this.#page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  }

  async waitFor(text: string): Promise<void> {
    await expectShown(this.#page.getByText(text));
  }

  async #fill(label: string, value: string): Promise<void> {
    await this.#tabTo(label, 'dialog input, dialog textarea');
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.type(value);
  }

  /** From the beginning of the page, after the view shows the element. */
  async #reach(role: 'link' | 'button' | 'checkbox', name: string): Promise<void> {
    const isExact = role !== 'checkbox';
    const main = this.#page.locator('main');
    await expectShown(main.getByRole(role, { name, exact: isExact, disabled: false }));
    await this.#start();
    await this.#tabTo(name, elements[role]);
  }

  /** The skip link is the first element of the page. */
  async #start(): Promise<void> {
    await this.#page.evaluate('document.activeElement.blur(); document.body.focus()');
  }

  async #tabTo(name: string, selector: string): Promise<void> {
    for (let step = 0; step < mostSteps; step++) {
      await this.#page.keyboard.press('Tab');
      if (await this.#page.evaluate(`(${isFocused})(${JSON.stringify([selector, name])})`)) return;
    }
    throw new Error(`Tab never reaches "${name}" (${selector}).`);
  }
}

const elements = { link: 'main a', button: 'main button', checkbox: 'main input[type=checkbox]' } as const;

const isFocused = `([selector, name]) => {
  const focused = document.activeElement;
  if (!focused.matches(selector)) return false;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent;
  return label === name || (focused.type === 'checkbox' && label.startsWith(name));
}`;
