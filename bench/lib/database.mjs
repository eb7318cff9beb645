import pg from 'pg';

/** Creates a database and returns its address. @param {import('../../tools/postgres/cluster.mjs').Cluster} cluster @param {string} name */
export async function createDatabase(cluster, name) {
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return cluster.urlOf(name);
}
