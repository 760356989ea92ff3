import pg from 'pg';

/** The anchor P where pgbench is not installed: clients that only execute one prepared statement. */
const { url, text, values, clients, seconds } = JSON.parse(process.argv[2] ?? '{}');
const end = performance.now() + seconds * 1_000;
let executed = 0;

async function repeat(): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  while (performance.now() < end) {
    await client.query({ name: 'statement', text, values });
    executed += 1;
  }
  await client.end();
}

await Promise.all(Array.from({ length: clients }, repeat));
process.stdout.write(JSON.stringify({ perSecond: executed / seconds }));
