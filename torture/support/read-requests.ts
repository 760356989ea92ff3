import { createHash } from 'node:crypto';
import { chargeTypes, planTypes, subscriptionStatuses } from '../../src/domain/enums.ts';
import type { Random } from '../../src/operator/demo/random.ts';
import type { CheckingClient } from './checking-client.ts';

export interface Reader {
  client: CheckingClient;
  random: Random;
  origin: string;
  authorization: string;
  period: string;
}

const requestOf = ({ origin, authorization }: Reader, path: string) => ({
  origin,
  path: `/v1${path}`,
  headers: { authorization },
});

const get = <T>(reader: Reader, path: string): Promise<T> => reader.client.readData(requestOf(reader, path));

type Item = { id: number; syncId: string; downloadable: boolean };

/** Lists a page, picks one of its items and requests the paths that lead to it. */
async function readOneOf(reader: Reader, list: string, pathsOf: (item: Item) => string[]): Promise<Item | undefined> {
  const { data } = await get<{ data: Item[] }>(reader, list);
  if (data.length === 0) return undefined;
  const item = reader.random.pick(data);
  for (const path of pathsOf(item)) await get(reader, path);
  return item;
}

async function readDocument(reader: Reader): Promise<void> {
  const { client, random } = reader;
  const list = `/employee-documents?perPage=20&page=${random.int(1, 3)}`;
  const item = await readOneOf(reader, list, ({ id }) => [`/employee-documents/${id}`]);
  if (!item?.downloadable) return;
  const request = requestOf(reader, `/employee-documents/${item.id}/download`);
  const { headers, bytes } = await client.check(request);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (headers.etag !== etag) throw client.fault(`Document ${item.id} has other bytes than its ETag says.`);
  await client.check({ ...request, headers: { ...request.headers, 'if-none-match': etag }, status: 304 });
}

async function readSyncs(reader: Reader): Promise<void> {
  const integration = await readOneOf(reader, '/hr-integrations?perPage=20', ({ id }) => [`/hr-integrations/${id}`]);
  if (integration === undefined) return;
  const path = `/hr-integrations/${integration.id}/syncs`;
  const pathsOf = ({ syncId }: Item) => [`${path}/${syncId}`, `${path}/${syncId}/records?perPage=50`];
  await readOneOf(reader, `${path}?perPage=5`, pathsOf);
}

async function readService(reader: Reader): Promise<void> {
  await get(reader, '/me');
  await reader.client.check({ ...requestOf(reader, '/health'), status: 204 });
  await reader.client.check(requestOf(reader, '/openapi.json'));
}

async function sendInvalid(reader: Reader): Promise<void> {
  const unknown = { ...reader, authorization: 'Basic dGtfMV94Ong=' };
  await reader.client.check({ ...requestOf(reader, '/employees?perPage=1000&sortOrder=up'), status: 400 });
  await reader.client.check({ ...requestOf(reader, '/employees/999999999'), status: 404 });
  await reader.client.check({ ...requestOf(unknown, '/me'), status: 401 });
}

function listEmployees(reader: Reader): Promise<void> {
  const { random } = reader;
  const filters = ['', `&subscriptionStatuses=${random.pick(subscriptionStatuses)}`, `&planTypes=${planTypes[0]}`];
  const sorting = `sortField=${random.pick(['id', 'createdAt', 'updatedAt'])}&sortOrder=${random.pick(['asc', 'desc'])}`;
  return get(reader, `/employees?page=${random.int(1, 20)}&perPage=50&${sorting}${random.pick(filters)}`);
}

const billed = ({ period, random }: Reader) =>
  `/billing/items?period=${period}&chargeType=ticket-charge&perPage=20&page=${random.int(1, 4)}`;
const words = ({ random }: Reader) => [`muster${random.int(1, 2_000)}`, 'anna', 'example.com', 'nobody'];
const pathsOfEmployee = ({ id }: Item) => [
  ...[`/employees/${id}`, `/employees/${id}/documents`, `/employees?ids=${id},1&emails=nobody@example.com`],
];

/** The usual requests of integrations, and how often each is sent relative to the others. */
const requests: [weight: number, send: (reader: Reader) => Promise<unknown>][] = [
  [6, listEmployees],
  [3, (reader) => get(reader, `/employees?search=${reader.random.pick(words(reader))}`)],
  [4, (reader) => readOneOf(reader, `/employees?perPage=20&page=${reader.random.int(1, 3)}`, pathsOfEmployee)],
  [3, readDocument],
  [3, (reader) => readOneOf(reader, billed(reader), ({ id }) => [`/billing/items/${id}`])],
  [2, (reader) => get(reader, `/billing/items/${reader.period}/${reader.random.pick(chargeTypes)}`)],
  [3, readSyncs],
  // After a client has left in the middle of an export, nothing may stay open.
  [1, (reader) => reader.client.abandon(requestOf(reader, `/billing/items/${reader.period}/ticket-charge`))],
  [1, readService],
  [1, sendInvalid],
];
const weighted = requests.flatMap(([weight, send]) => Array<typeof send>(weight).fill(send));

export async function sendReadRequest(reader: Reader): Promise<void> {
  await reader.random.pick(weighted)(reader);
}
