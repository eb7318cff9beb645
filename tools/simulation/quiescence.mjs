/** What is still open in a simulation: nothing once it is quiet. */
const most = 1_000;

export async function quiescent({ servers, hosts, clients, broker, rebuilds }) {
  const open = [];
  const add = (count, what) => {
    if (count > 0) open.push(`${count} ${what}`);
  };
  add(clients.open, 'requests without an answer');
  add(broker.size, 'messages in the broker');
  add([...rebuilds].filter(({ host, app }) => host.app === app).length, 'rebuilds that have not ended');
  add(hosts.filter(({ app }) => app === null).length, 'hosts that are not ready');
  for (const { name, storage, realm } of Object.values(servers)) {
    realm.enter();
    for (const lane of ['system', 'transport']) {
      add((await storage.readOutgoing(lane, most)).length, `messages in the outbox ${lane} of ${name}`);
    }
    const scheduled = await storage.schedule.read(most);
    add(scheduled.filter(({ key }) => !key?.startsWith('$svc-recurring|')).length, `scheduled commands of ${name}`);
    for (const { perspective, behind, stopped } of await storage.perspectives.readStandings(
      ['Streams', 'Ledgers'],
      most,
    )) {
      add(behind, `events that ${perspective} of ${name} has not processed`);
      add(stopped, `stopped streams in ${perspective} of ${name}`);
    }
    for (const { name: reaction, behind, waiting, parked } of await storage.reactions.readStandings(most)) {
      add(behind, `events that ${reaction} of ${name} has not processed`);
      add(waiting + parked, `failed streams in ${reaction} of ${name}`);
    }
  }
  return open;
}
