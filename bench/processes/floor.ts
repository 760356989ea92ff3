import { createServer } from 'node:http';

/**
 * What Node itself takes: sends the same response to every request, or 304 to those with a validator, and does nothing
 * else. No service in one process of Node answers faster.
 */
const { head, body } = JSON.parse(process.argv[2] ?? '{}') as { head: [string, string][]; body: string };
const bytes = Buffer.from(body);
const withoutContent = head.filter(([name]) => name !== 'content-length' && name !== 'content-type').flat();
const complete = [...withoutContent, 'content-type', 'application/json', 'content-length', String(bytes.length)];

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === undefined) response.writeHead(200, complete).end(bytes);
  else response.writeHead(304, withoutContent).end();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
