import { createHash } from 'node:crypto';
import type { Random } from '../../src/demo/random.ts';
import { chargeTypes, planTypes, subscriptionStatuses } from '../../src/domain/enums.ts';
import { jsonOf, type Tally } from './asking.ts';

/**
 * An integration of a company that reads the API. The first items of each list do not change, so it picks from them.
 */
export interface Reader {
  tally: Tally;
  random: Random;
  /** The base address of the API, including /v1. */
  api: string;
  authorization: string;
  /** A month that was billed. */
  period: string;
}

type Errand = (reader: Reader) => Promise<void>;

interface Record {
  id: number;
}
interface Page<T> {
  data: { data: T[]; total: number; totalPages: number };
}

const get = async <T>({ tally, api, authorization }: Reader, path: string, status = 200): Promise<T> =>
  jsonOf<T>(await tally.ask(`${api}${path}`, { headers: { authorization }, status }));

async function pickFrom<T extends Record>(reader: Reader, path: string): Promise<T | undefined> {
  const { data } = await get<Page<T>>(reader, `${path}${path.includes('?') ? '&' : '?'}perPage=20`);
  return data.data.length === 0 ? undefined : reader.random.pick(data.data);
}

const listEmployees: Errand = async (reader) => {
  const { random } = reader;
  const filters = ['', `&subscriptionStatuses=${random.pick(subscriptionStatuses)}`, `&planTypes=${planTypes[0]}`];
  const sorting = `sortField=${random.pick(['id', 'createdAt', 'updatedAt'])}&sortOrder=${random.pick(['asc', 'desc'])}`;
  await get(reader, `/employees?page=${random.int(1, 20)}&perPage=50&${sorting}${random.pick(filters)}`);
};

const searchEmployees: Errand = async (reader) => {
  const word = reader.random.pick([`muster${reader.random.int(1, 2_000)}`, 'anna', 'example.com', 'nobody']);
  await get(reader, `/employees?search=${word}`);
};

const readEmployee: Errand = async (reader) => {
  const picked = await pickFrom(reader, `/employees?page=${reader.random.int(1, 3)}`);
  if (picked === undefined) return;
  await get(reader, `/employees/${picked.id}`);
  await get(reader, `/employees/${picked.id}/documents`);
  await get(reader, `/employees?ids=${picked.id},1&emails=nobody@example.com`);
};

const readDocument: Errand = async (reader) => {
  const { tally, api, authorization, random } = reader;
  const picked = await pickFrom<Record & { downloadable: boolean }>(
    reader,
    `/employee-documents?page=${random.int(1, 3)}`,
  );
  if (picked === undefined) return;
  await get(reader, `/employee-documents/${picked.id}`);
  if (!picked.downloadable) return;
  const url = `${api}/employee-documents/${picked.id}/download`;
  const { headers, bytes } = await tally.ask(url, { headers: { authorization } });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (headers.get('etag') !== `"${sha256}"`) throw tally.fault(`Document ${picked.id} came with other bytes.`);
  await tally.ask(url, { headers: { authorization, 'if-none-match': `"${sha256}"` }, status: 304 });
};

const readBilling: Errand = async (reader) => {
  const { period, random } = reader;
  const path = `/billing/items?period=${period}&chargeType=ticket-charge&page=${random.int(1, 4)}`;
  const picked = await pickFrom(reader, path);
  if (picked !== undefined) await get(reader, `/billing/items/${picked.id}`);
};

const exportBilling: Errand = async (reader) => {
  await get(reader, `/billing/items/${reader.period}/${reader.random.pick(chargeTypes)}`);
};

/** Disconnects in the middle of an export. The service must leave nothing open after that. */
const leaveExport: Errand = ({ tally, api, authorization, period }) =>
  tally.askAndLeave(`${api}/billing/items/${period}/ticket-charge`, { authorization });

const readSyncs: Errand = async (reader) => {
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

const lookAround: Errand = async (reader) => {
  const { tally, api } = reader;
  await get(reader, '/me');
  await tally.ask(`${api}/health`, { status: 204 });
  await tally.ask(`${api}/openapi.json`);
};

const makeMistakes: Errand = async (reader) => {
  await get(reader, '/employees?perPage=1000&sortOrder=up', 400);
  await get(reader, '/employees/999999999', 404);
  await get({ ...reader, authorization: 'Basic dGtfMV94Ong=' }, '/me', 401);
};

const errands: Errand[] = [
  ...Array<Errand>(6).fill(listEmployees),
  ...Array<Errand>(3).fill(searchEmployees),
  ...Array<Errand>(4).fill(readEmployee),
  ...Array<Errand>(3).fill(readDocument),
  ...Array<Errand>(3).fill(readBilling),
  ...Array<Errand>(2).fill(exportBilling),
  ...Array<Errand>(3).fill(readSyncs),
  leaveExport,
  lookAround,
  makeMistakes,
];

/** Sends one of the usual requests of integrations. Common requests are more frequent than rare ones. */
export const runErrand = (reader: Reader): Promise<void> => reader.random.pick(errands)(reader);
