/** The page at `/`, without its script. */
export const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Orders</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page/page.css">
    <script type="module" src="/page/browser/orders-page.js"></script>
  </head>
  <body>
    <main>
      <h1>Orders</h1>
      <p id="state" role="status"></p>
      <p id="problem" role="alert"></p>
      <form id="sign-in" hidden>
        <label for="token">Token</label>
        <input id="token" type="password" autocomplete="off" required>
        <button>Sign in</button>
      </form>
      <p><button id="place" disabled>Place an order</button></p>
      <table>
        <caption>The latest orders</caption>
        <thead>
          <tr><th scope="col">Order</th><th scope="col">Status</th><th scope="col">Pieces</th><th scope="col">Placed</th></tr>
        </thead>
        <tbody id="orders"></tbody>
      </table>
    </main>
  </body>
</html>
`;

export const css = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
caption, th, td { padding: 0.25rem 0.5rem 0.25rem 0; text-align: left; vertical-align: top; }
tr { border-bottom: 1px solid; }
#problem:empty { display: none; }
`;
