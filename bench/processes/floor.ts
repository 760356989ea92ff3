import Fastify from 'fastify';

/** What a service in one process cannot undercut: Fastify that sends the same bytes to every request and does nothing else. */
const { head, body } = JSON.parse(process.argv[2] ?? '{}') as { head: Record<string, string>; body: string };
const app = Fastify();
app.get('/*', (_request, reply) => {
  reply.headers(head).send(body);
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
