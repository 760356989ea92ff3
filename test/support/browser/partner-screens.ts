import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext } from 'playwright-core';
import { insertCompany } from '../../../src/features/companies/companies.ts';
import type { ConnectBody } from '../../../src/features/connectors/pull/contract.ts';
import type { NewIntegrationBody } from '../../../src/features/integrations/contract.ts';
import type { CheckedDelivery, DeliveryBody, InvoiceBody, IssuerPage } from '../../../src/features/issuers/contract.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { commandsIn } from '../commands.ts';
import { comingFirst } from '../environment.ts';
import { anEmployee, makeEmployees } from '../factories.ts';
import { hibobCredentials, startFakeHibob } from '../fake-hr/hibob.ts';
import { startFakeRest } from '../fake-hr/rest.ts';
import { sftpUser, startFakeSftp } from '../fake-hr/sftp.ts';
import { starting } from '../operator-cli.ts';
import { makeUser } from '../portal.ts';
import type { Env } from '../process.ts';
import { asTable } from './rosters.ts';
import { createPost } from './screen-data.ts';
import * as steps from './screen-steps.ts';
import type { Screen } from './screens.ts';
import type { Login } from './visit.ts';

const month = comingFirst();
const monthText = month.toString().slice(0, 7);

/** The fakes of those whom the company works with. */
export async function startPartners(stops: AsyncDisposableStack) {
  const token = 'rest-secret';
  const people = [1, 2].map((id) => ({ id, firstName: 'Rita', lastName: `Rest${id}`, email: `rest${id}@example.com` }));
  const partners = {
    sftp: await startFakeSftp(),
    hibob: await startFakeHibob(2),
    rest: await startFakeRest(
      {
        ...{ paths: ['/api/employees'], paging: 'none', size: 10, offsetOf: () => 0, wrap: (records) => records },
        isAllowed: ({ headers }) => headers.authorization === `Bearer ${token}`,
      },
      { people, absences: [] },
    ),
  };
  for (const partner of Object.values(partners)) stops.defer(() => partner.close());
  return partners;
}
type Partners = Awaited<ReturnType<typeof startPartners>>;

/** Adds a company that orders its tickets by lists, with an administrator. `env`: of the service. */
export async function addOrderingCompany(db: Db, env: Env): Promise<Login> {
  const company = { name: 'Nordwind GmbH', planType: 'fully-subsidized-plan', contributionCents: 0 } as const;
  const companyId = await db.transaction().execute((tx) => insertCompany(tx, company, Temporal.Now.instant()));
  const employee = () => anEmployee({ ...starting(month), date_of_birth: '1990-05-17' });
  await makeEmployees(db, companyId, [employee(), employee(), employee(), employee()]);
  const fileIn = (name: string) => join(env.DATA_DIR ?? '', name);
  await writeFile(fileIn('prices.json'), JSON.stringify([{ from: '2026-01-01', grossCents: 5985 }]));
  const run = (command: string, ...more: string[]) =>
    commandsIn(env).succeed('issuer', ...command.split(' '), '--company', String(companyId), ...more);
  // The cut-off is near on each day of the month.
  await run('set --issuer order-list --cut-off-day 1 --lead-days 27', '--price-file', fileIn('prices.json'));
  await run('orders export', '--month', monthText, '--file', fileIn('orders.csv'));
  await run('reconcile', '--month', monthText);
  return makeUser({ db }, companyId, 'admin', { name: 'Ada Admin' });
}

/** Lets lists be exchanged by SFTP, and answers the order list with a ticket, a problem and rows of nobody. */
async function exchangeLists(request: APIRequestContext, origin: string, { sftp }: Partners) {
  const post = createPost(request, origin);
  const read = async (): Promise<IssuerPage> => (await (await request.get(`${origin}/portal/api/issuer`)).json()).data;
  const delivery: DeliveryBody = {
    ...{ kind: 'sftp', format: 'csv', host: '127.0.0.1', port: sftp.port, ...sftpUser },
    ...{ hostKey: sftp.hostKey, folder: '/in' },
  };
  sftp.writable.add('/in');
  const { problems }: CheckedDelivery = await post('/issuer/delivery', delivery);
  assert.deepEqual(problems, []);
  // From now on a test of the connection fails.
  sftp.writable.clear();
  sftp.write('/in/readme.txt', 'moved');
  const [issued, failed, named] = (await read()).openOrders;
  const [firstName, ...lastNames] = named?.name.split(' ') ?? [];
  const list = [
    'orderId;firstName;lastName;dateOfBirth;ticketNumber;problem',
    `${issued?.orderId};;;;T-1;`,
    `${failed?.orderId};;;;;address is missing`,
    `;${firstName};${lastNames.join(' ')};1990-05-17;T-2;`,
    'ord-unknown;;;;T-3;',
  ];
  await post(`/issuer/returned-lists?month=${monthText}&fileName=returned.csv`, list.join('\n'), 'text/csv');
  const lines = ['order;amount', `${issued?.orderId};61,85`, 'ord-unknown;59,85'];
  const invoice: InvoiceBody = { month: monthText, content: Buffer.from(lines.join('\n')).toString('base64') };
  await post('/issuer/invoices', invoice);
  return { employee: `/employees/${issued?.employeeId}`, list };
}

/** Connects an integration, and leaves the rest of the set-up to the user. Returns its page. */
async function connect(request: APIRequestContext, origin: string, body: ConnectBody): Promise<string> {
  const post = createPost(request, origin);
  const integration: NewIntegrationBody = { name: body.provider, type: 'hr-integration' };
  const { id } = await post('/integrations', integration);
  await post(`/integrations/${id}/connection`, body);
  return `/integrations/${id}`;
}

/** Returns the screens of that company, and adds what they show first. */
export async function addPartnerScreens(
  request: APIRequestContext,
  origin: string,
  partners: Partners,
): Promise<Screen[]> {
  const { employee, list } = await exchangeLists(request, origin, partners);
  const hibob = await connect(request, origin, { provider: 'hibob', credentials: hibobCredentials });
  await createPost(request, origin)(`${hibob}/hints`);
  const { origin: api } = partners.rest;
  const rest = await connect(request, origin, {
    provider: 'http-json',
    credentials: { baseUrl: `${api}/api`, authentication: 'bearer', token: 'rest-secret' },
  });
  const returned = asTable('returned.csv', list);
  return [
    { name: 'issuer-lists', path: '/issuer' },
    { name: 'issuer-delivery-sftp', path: '/issuer', prepare: steps.openNamed(/^(Change|Ändern)$/) },
    { name: 'issuer-delivery-mail', path: '/issuer', prepare: steps.chooseMail },
    { name: 'issuer-delivery-refused', path: '/issuer', prepare: steps.sendToOthers },
    { name: 'issuer-delivery-fails', path: '/issuer', prepare: steps.testDelivery },
    { name: 'issuer-send', path: '/issuer', prepare: steps.openNamed(/^Send |senden$/) },
    { name: 'issuer-returned', path: '/issuer', prepare: steps.previewList(returned) },
    { name: 'issuer-assign', path: '/issuer', prepare: steps.openNamed(/^Assign row|zuordnen$/) },
    { name: 'issuer-dismiss', path: '/issuer', prepare: steps.openNamed(/^Dismiss row|verwerfen$/) },
    { name: 'issuer-block', path: '/issuer', prepare: steps.openNamed(/^(Block|Sperren): /) },
    { name: 'issuer-replace', path: '/issuer', prepare: steps.openNamed(/^(Order again|Neu bestellen): /) },
    { name: 'issuer-invoice-refused', path: '/issuer', prepare: steps.compareInvoice(returned), refused: 400 },
    { name: 'employee-ticket', path: employee },
    { name: 'employee-ticket-block', path: employee, prepare: steps.openNamed(/^(Block|Sperren): /) },
    { name: 'employee-ticket-replace', path: employee, prepare: steps.openNamed(/^(Order again|Neu bestellen): /) },
    { name: 'hints-unsigned', path: hibob },
    { name: 'hints-replace', path: hibob, prepare: steps.openNamed(/^(New address|Neue Adresse)$/) },
    { name: 'hints-end', path: hibob, prepare: steps.openNamed(/^(Delete address|Adresse löschen)$/) },
    { name: 'hints-signing', path: hibob, prepare: steps.openNamed(/^(Enter secret|Geheimnis eintragen)$/) },
    { name: 'rest-check', path: `${rest}/setup?step=check` },
    { name: 'rest-mapping', path: `${rest}/setup?step=mapping` },
    { name: 'rest-mapping-wrong', path: `${rest}/setup?step=mapping`, prepare: steps.writeWrongRequests },
    {
      name: 'rest-mapping-refused',
      path: `${rest}/setup?step=mapping`,
      prepare: steps.writeWrongExpression,
      refused: 400,
    },
    { name: 'rest-credentials', path: `${rest}/setup?step=credentials` },
  ];
}
