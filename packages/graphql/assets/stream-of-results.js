/** The results of a subscription, in the form of an observable that GraphiQL accepts. `close` closes the connection. */
export function streamOfResults(body, close) {
  return {
    subscribe(observer) {
      let isClosed = false;
      read(body, observer).catch((error) => {
        if (!isClosed) observer.error(error);
      });
      return {
        unsubscribe() {
          isClosed = true;
          close();
        },
      };
    },
  };
}

async function read(body, observer) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('The connection has ended. Run the subscription again.');
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event.startsWith('event: complete')) return observer.complete();
      const at = event.indexOf('\ndata: ');
      if (event.startsWith('event: next')) observer.next(JSON.parse(event.slice(at + '\ndata: '.length)));
    }
  }
}
