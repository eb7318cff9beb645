/** The elements of Swagger UI that have no name for screen readers, and their names. */
const names = {
  '#servers': () => 'Server',
  '.close-modal': () => 'Close',
  'textarea.body-param__text': () => 'Request body',
  '[data-param-name] select': (element) => element.closest('[data-param-name]').dataset.paramName,
  'table.responses-table[role=region]': (element) => `Responses of ${operationOf(element)}`,
  '.information-container': () => 'About this API',
  '.scheme-container': () => 'Server and credentials',
};

/**
 * Names these elements, so that readers can jump to each part of the page, and lets the keyboard scroll long texts. Swagger UI creates elements at any
 * time, so every change is observed.
 */
export function nameElements(page) {
  const name = () => {
    for (const [selector, nameOf] of Object.entries(names)) {
      for (const element of page.querySelectorAll(`${selector}:not([aria-label])`)) {
        element.setAttribute('aria-label', nameOf(element));
        if (element.localName === 'div') element.setAttribute('role', 'region');
      }
    }
    for (const text of page.querySelectorAll('pre.microlight:not([tabindex])')) text.tabIndex = 0;
  };
  new MutationObserver(name).observe(page, { childList: true, subtree: true });
}

function operationOf(element) {
  const operation = element.closest('.opblock');
  const method = operation.querySelector('.opblock-summary-method').textContent;
  return `${method} ${operation.querySelector('[data-path]').dataset.path}`;
}
