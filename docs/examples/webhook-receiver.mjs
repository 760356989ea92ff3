import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' }, body) {
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const matches = (given) => given.length === expected.length && timingSafeEqual(given, expected);
  return Math.abs(Date.now() / 1000 - time) < 300 && signatures.split(' ').some((one) => matches(Buffer.from(one)));
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const { event, payload } = JSON.parse(body);
  console.log(event.sequence, event.type, JSON.stringify(payload)); // Store it in a queue of your own instead.
  response.writeHead(204).end();
});
server.listen(process.env.PORT ?? 8080, () => console.log('Listening on port', server.address().port));
