import type { Day } from '../../domain/calendar.ts';
import type { BlockReason, IssuerKind } from '../../domain/enums.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { readInput, readJsonInput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { compileValidator } from '../../platform/http/validator.ts';
import { getCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { noEmployeeMails } from '../employee-mails/queue.ts';
import { blockTicket } from './block-ticket.ts';
import { compareInvoice } from './compare-invoice.ts';
import { DeliveryBody, IssuerSettingsSchema, type TicketDifference } from './contract.ts';
import { setDelivery } from './delivery.ts';
import { readIssuerSettings } from './open-issuer.ts';
import { listOpenGroups } from './page.ts';
import { openIssuer } from './providers/index.ts';
import { IssuerOutage } from './providers/issuer.ts';
import { reconcile } from './reconcile.ts';
import { replaceAnyTicket } from './replace-ticket.ts';
import { setIssuer, showIssuer } from './settings.ts';
import { findIssuerRow } from './store.ts';

interface SetOptions {
  issuer: IssuerKind;
  url: string | undefined;
  tokenFile: string | undefined;
  cutOffDay: number | undefined;
  leadDays: number | undefined;
  product: string | undefined;
  priceFile: string | undefined;
  mappingFile: string | undefined;
  deliveryFile: string | undefined;
}

async function readPrices(path: string) {
  const prices = await readJsonInput('--price-file', path);
  const isValid = compileValidator({ schema: IssuerSettingsSchema.properties.priceList });
  if (isValid(prices)) return prices as { from: string; grossCents: number }[];
  throw new OperatorError(
    '--price-file must be a list such as [{"from": "2026-01-01", "grossCents": 5985}]: the first months, and the price in cents.',
  );
}

async function readDeliveryFile(path: string): Promise<DeliveryBody> {
  const delivery = await readJsonInput('--delivery-file', path);
  const isValid = compileValidator({ schema: DeliveryBody });
  if (isValid(delivery)) return delivery as DeliveryBody;
  const [error] = isValid.errors ?? [];
  throw new OperatorError(
    `--delivery-file is wrong at ${error?.instancePath || '/'}: it ${error?.message ?? 'is invalid'}. Correct it (docs/connect-an-issuer.md has an example).`,
  );
}

export async function setIssuerByOperator(
  context: CompanyContext,
  { tokenFile, priceFile, mappingFile, deliveryFile, ...input }: SetOptions,
) {
  const token = tokenFile === undefined ? undefined : (await readInput('--token-file', tokenFile)).toString().trim();
  const priceList = priceFile === undefined ? undefined : await readPrices(priceFile);
  if (token === '') throw new OperatorError('--token-file: the file is empty. Write the token of the issuer into it.');
  const mapping = mappingFile === undefined ? undefined : await readJsonInput('--mapping-file', mappingFile);
  const delivery = deliveryFile === undefined ? undefined : await readDeliveryFile(deliveryFile);
  const set = await setIssuer(context, { ...input, token, priceList, mapping });
  if (delivery === undefined) return set;
  const { isStored, problems } = await setDelivery(context, delivery);
  if (isStored) return { ...set, ...(await showIssuer(context)) };
  const reasons = problems.map(formatMessage).join(' ');
  throw new OperatorError(`The issuer is set, but how lists are exchanged was not changed: ${reasons}`);
}

/** Returns the settings, and open orders by their reasons. */
export async function showIssuerByOperator(context: CompanyContext) {
  const groups = await listOpenGroups(context.db, context.companyId);
  const open = groups.map(({ message, ...group }) => ({ ...group, reason: formatMessage(message) }));
  return { ...(await showIssuer(context)), open };
}

const present = ({ employeeId, orderId, message }: TicketDifference) => ({
  employeeId,
  orderId,
  detail: formatMessage(message),
});

/** Compares a month with the issuer now. */
export async function reconcileByOperator(context: CompanyContext, { month }: { month: Day }) {
  const { db, companyId, config } = context;
  const { issuer: kind } = await getCompany(db, companyId);
  const row = await findIssuerRow(db, companyId);
  if (kind === 'built-in' || row === undefined) {
    throw new OperatorError('The service issues the tickets of this company itself: there is nothing to compare.');
  }
  const signal = AbortSignal.timeout(600_000);
  const deps = readIssuerSettings(config, await context.openEncryption());
  const issuer = openIssuer(kind, { db, clock: { now: () => context.by.at }, companyId, row, deps, signal });
  try {
    const {
      counts: _,
      missing,
      double,
      unexpected,
      mismatched,
      ...found
    } = await reconcile(db, companyId, month, issuer);
    return {
      ...found,
      missing: missing.map(present),
      double: double.map(present),
      unexpected: unexpected.map(present),
      mismatched: mismatched.map(present),
    };
  } catch (error) {
    throw error instanceof IssuerOutage ? new OperatorError(error.message) : error;
  } finally {
    await issuer?.close();
  }
}

export async function compareInvoiceByOperator(context: CompanyContext, { month, file }: { month: Day; file: string }) {
  const content = await readInput('--file', file);
  const { differences, ...compared } = await compareInvoice(context, { month, content });
  return {
    ...compared,
    differences: differences.map(({ message, ...one }) => ({ ...one, detail: formatMessage(message) })),
  };
}

interface TicketOptions {
  employee: number;
  month: Day;
  reason: BlockReason;
}

export const blockByOperator = ({ companyId, write, by }: CompanyContext, { employee, ...change }: TicketOptions) =>
  write((tx) => blockTicket(tx, companyId, { employeeId: employee, ...change }, by));

export const replaceByOperator = ({ companyId, write, by }: CompanyContext, { employee, ...change }: TicketOptions) =>
  write((tx) =>
    replaceAnyTicket(tx, { employeeMails: noEmployeeMails }, companyId, { employeeId: employee, ...change, ...by }),
  );
