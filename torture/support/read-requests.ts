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

type ReadRequest = (reader: Reader) => Promise<void>;

interface Page<T> {
  data: { data: T[]; total: number; totalPages: number };
}

const get = <T>({ client, api, authorization }: Reader, path: string, status = 200): Promise<T> =>
  client.json<T>(`${api}${path}`, { headers: { authorization }, status });

/** Picks from the first items of a list, because those do not change. */
async function pickFrom<T extends { id: number }>(reader: Reader, path: string): Promise<T | undefined> {
  const { data } = await get<Page<T>>(reader, `${path}${path.includes('?') ? '&' : '?'}perPage=20`);
  return data.data.length === 0 ? undefined : reader.random.pick(data.data);
}

const listEmployees: ReadRequest = async (reader) => {
  const { random } = reader;
  const filters = ['', `&subscriptionStatuses=${random.pick(subscriptionStatuses)}`, `&planTypes=${planTypes[0]}`];
  const sorting = `sortField=${random.pick(['id', 'createdAt', 'updatedAt'])}&sortOrder=${random.pick(['asc', 'desc'])}`;
  await get(reader, `/employees?page=${random.int(1, 20)}&perPage=50&${sorting}${random.pick(filters)}`);
};

const searchEmployees: ReadRequest = async (reader) => {
  const word = reader.random.pick([`muster${reader.random.int(1, 2_000)}`, 'anna', 'example.com', 'nobody']);
  await get(reader, `/employees?search=${word}`);
};

const readEmployee: ReadRequest = async (reader) => {
  const picked = await pickFrom(reader, `/employees?page=${reader.random.int(1, 3)}`);
  if (picked === undefined) return;
  await get(reader, `/employees/${picked.id}`);
  await get(reader, `/employees/${picked.id}/documents`);
  await get(reader, `/employees?ids=${picked.id},1&emails=nobody@example.com`);
};

const readDocument: ReadRequest = async (reader) => {
  const { client, api, authorization, random } = reader;
  const path = `/employee-documents?page=${random.int(1, 3)}`;
  const picked = await pickFrom<{ id: number; downloadable: boolean }>(reader, path);
  if (picked === undefined) return;
  await get(reader, `/employee-documents/${picked.id}`);
  if (!picked.downloadable) return;
  const url = `${api}/employee-documents/${picked.id}/download`;
  const { headers, bytes } = await client.request(url, { headers: { authorization } });
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  if (headers.etag !== etag) throw client.fault(`Document ${picked.id} has other bytes than its ETag says.`);
  await client.request(url, { headers: { authorization, 'if-none-match': etag }, status: 304 });
};

const readBilling: ReadRequest = async (reader) => {
  const { period, random } = reader;
  const picked = await pickFrom(
    reader,
    `/billing/items?period=${period}&chargeType=ticket-charge&page=${random.int(1, 4)}`,
  );
  if (picked !== undefined) await get(reader, `/billing/items/${picked.id}`);
};

const exportBilling: ReadRequest = async (reader) => {
  await get(reader, `/billing/items/${reader.period}/${reader.random.pick(chargeTypes)}`);
};

/** Disconnects in the middle of an export. The service must leave nothing open after that. */
const abandonExport: ReadRequest = ({ client, api, authorization, period }) =>
  client.abandon(`${api}/billing/items/${period}/ticket-charge`, { authorization });

const readSyncs: ReadRequest = async (reader) => {
  const integration = await pickFrom(reader, '/hr-integrations');
  if (integration === undefined) return;
  const path = `/hr-integrations/${integration.id}`;
  await get(reader, path);
  const { data } = await get<Page<{ syncId: string }>>(reader, `${path}/syncs?perPage=5`);
  if (data.data.length === 0) return;
  const { syncId } = reader.random.pick(data.data);
  await get(reader, `${path}/syncs/${syncId}`);
  await get(reader, `${path}/syncs/${syncId}/records?perPage=50`);
};

const readService: ReadRequest = async (reader) => {
  const { client, api } = reader;
  await get(reader, '/me');
  await client.request(`${api}/health`, { status: 204 });
  await client.request(`${api}/openapi.json`);
};

const sendInvalid: ReadRequest = async (reader) => {
  await get(reader, '/employees?perPage=1000&sortOrder=up', 400);
  await get(reader, '/employees/999999999', 404);
  await get({ ...reader, authorization: 'Basic dGtfMV94Ong=' }, '/me', 401);
};

/** How often each request is sent, relative to the others. */
const weights: [number, ReadRequest][] = [
  [6, listEmployees],
  [3, searchEmployees],
  [4, readEmployee],
  [3, readDocument],
  [3, readBilling],
  [2, exportBilling],
  [3, readSyncs],
  [1, abandonExport],
  [1, readService],
  [1, sendInvalid],
];
const requests = weights.flatMap(([weight, request]) => Array<ReadRequest>(weight).fill(request));

/** Sends one of the usual requests of integrations. */
export const sendReadRequest = (reader: Reader): Promise<void> => reader.random.pick(requests)(reader);
