import { createHash } from 'node:crypto';
import type { Random } from '../../src/demo/random.ts';
import { chargeTypes, planTypes, subscriptionStatuses } from '../../src/domain/enums.ts';
import type { CheckingClient } from './checking-client.ts';

/** An integration of a company that reads the API. */
export interface Reader {
  client: CheckingClient;
  random: Random;
  /** The base address of the API, including /v1. */
  api: string;
  authorization: string;
  /** A month that was billed. */
  period: string;
}

const get = <T>({ client, api, authorization }: Reader, path: string, status = 200): Promise<T> =>
  client.json<T>(`${api}${path}`, { headers: { authorization }, status });

type Item = { id: number; syncId: string; downloadable: boolean };

/** Lists a page, picks one of its items and requests the paths that lead to it. */
async function readOneOf(reader: Reader, list: string, pathsOf: (item: Item) => string[]): Promise<Item | undefined> {
  const { data } = await get<{ data: { data: Item[] } }>(reader, list);
  if (data.data.length === 0) return undefined;
  const item = reader.random.pick(data.data);
  for (const path of pathsOf(item)) await get(reader, path);
  return item;
}

async function readDocument(reader: Reader): Promise<void> {
  const { client, api, authorization, random } = reader;
  const list = `/employee-documents?perPage=20&page=${random.int(1, 3)}`;
  const item = await readOneOf(reader, list, ({ id }) => [`/employee-documents/${id}`]);
  if (!item?.downloadable) return;
  const url = `${api}/employee-documents/${item.id}/download`;
  const { headers, bytes } = await client.request(url, { headers: { authorization } });
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (headers.etag !== etag) throw client.fault(`Document ${item.id} has other bytes than its ETag says.`);
  await client.request(url, { headers: { authorization, 'if-none-match': etag }, status: 304 });
}

async function readSyncs(reader: Reader): Promise<void> {
  const integration = await readOneOf(reader, '/hr-integrations?perPage=20', ({ id }) => [`/hr-integrations/${id}`]);
  if (integration === undefined) return;
  const path = `/hr-integrations/${integration.id}/syncs`;
  const pathsOf = ({ syncId }: Item) => [`${path}/${syncId}`, `${path}/${syncId}/records?perPage=50`];
  await readOneOf(reader, `${path}?perPage=5`, pathsOf);
}

async function readService(reader: Reader): Promise<void> {
  const { client, api } = reader;
  await get(reader, '/me');
  await client.request(`${api}/health`, { status: 204 });
  await client.request(`${api}/openapi.json`);
}

async function sendInvalid(reader: Reader): Promise<void> {
  await get(reader, '/employees?perPage=1000&sortOrder=up', 400);
  await get(reader, '/employees/999999999', 404);
  await get({ ...reader, authorization: 'Basic dGtfMV94Ong=' }, '/me', 401);
}

function listEmployees(reader: Reader): Promise<void> {
  const { random } = reader;
  const filters = ['', `&subscriptionStatuses=${random.pick(subscriptionStatuses)}`, `&planTypes=${planTypes[0]}`];
  const sorting = `sortField=${random.pick(['id', 'createdAt', 'updatedAt'])}&sortOrder=${random.pick(['asc', 'desc'])}`;
  return get(reader, `/employees?page=${random.int(1, 20)}&perPage=50&${sorting}${random.pick(filters)}`);
}

function searchEmployees(reader: Reader): Promise<void> {
  const words = [`muster${reader.random.int(1, 2_000)}`, 'anna', 'example.com', 'nobody'];
  return get(reader, `/employees?search=${reader.random.pick(words)}`);
}

const readEmployee = (reader: Reader) =>
  readOneOf(reader, `/employees?perPage=20&page=${reader.random.int(1, 3)}`, ({ id }) => [
    ...[`/employees/${id}`, `/employees/${id}/documents`, `/employees?ids=${id},1&emails=nobody@example.com`],
  ]);

function readBilling(reader: Reader): Promise<unknown> {
  const list = `/billing/items?period=${reader.period}&chargeType=ticket-charge&perPage=20`;
  return readOneOf(reader, `${list}&page=${reader.random.int(1, 4)}`, ({ id }) => [`/billing/items/${id}`]);
}

const exportBilling = (reader: Reader) =>
  get(reader, `/billing/items/${reader.period}/${reader.random.pick(chargeTypes)}`);

/** Disconnects in the middle of an export. The service must leave nothing open after that. */
const abandonExport = ({ client, api, authorization, period }: Reader) =>
  client.abandon(`${api}/billing/items/${period}/ticket-charge`, { authorization });

/** The usual requests of integrations, each as often as it is sent relative to the others. */
const requests: ((reader: Reader) => Promise<unknown>)[] = [
  ...Array(6).fill(listEmployees),
  ...Array(3).fill(searchEmployees),
  ...Array(4).fill(readEmployee),
  ...Array(3).fill(readDocument),
  ...Array(3).fill(readBilling),
  ...Array(2).fill(exportBilling),
  ...Array(3).fill(readSyncs),
  ...[abandonExport, readService, sendInvalid],
];

/** Sends one of the usual requests of integrations. */
export async function sendReadRequest(reader: Reader): Promise<void> {
  await reader.random.pick(requests)(reader);
}
