import { basename, extname } from 'node:path';
import type { Day } from '../../domain/calendar.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { readInput, writeOutput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { getCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { checkDelivery } from './delivery.ts';
import { readIssuerSettings } from './open-issuer.ts';
import { listOrderLines, renderOrderFile, writeOrderFiles } from './order-files.ts';
import { workOn } from './process.ts';
import { openIssuer } from './providers/index.ts';
import { importReturnedList, previewReturnedList } from './returned-files.ts';
import { findIssuerRow } from './store.ts';

/** Takes up what is to be ordered by now, as the job does. */
async function placeOrders({ db, companyId, by, config, openEncryption }: CompanyContext): Promise<void> {
  const { issuer: kind } = await getCompany(db, companyId);
  const row = await findIssuerRow(db, companyId);
  if (kind !== 'order-list' || row === undefined) {
    throw new OperatorError(
      'The issuer of this company takes no lists. Choose it with "issuer set --issuer order-list".',
    );
  }
  const signal = AbortSignal.timeout(600_000);
  const clock = { now: () => by.at };
  const deps = readIssuerSettings(config, await openEncryption());
  const issuer = openIssuer(kind, { db, clock, companyId, row, deps, signal });
  if (issuer === undefined) return;
  try {
    while (!(await workOn({ db, clock, signal }, companyId, row, issuer)).isComplete) signal.throwIfAborted();
    await writeOrderFiles(db, await getCompany(db, companyId), by.at);
  } finally {
    await issuer.close();
  }
}

export async function exportOrders(context: CompanyContext, { month, file }: { month: Day; file: string }) {
  const { db, companyId } = context;
  await placeOrders(context);
  const format = extname(file).toLowerCase() === '.xlsx' ? 'xlsx' : 'csv';
  const lines = await listOrderLines(db, companyId, { month });
  const rendered = await renderOrderFile(db, companyId, { month, format });
  const text = month.toString().slice(0, 7);
  if (rendered === undefined || lines.length === 0) {
    throw new OperatorError(
      `There are no orders for ${text} yet. They begin some days before the cut-off of the issuer: see "issuer show".`,
    );
  }
  await writeOutput(file, rendered.content);
  const count = (section: string) => lines.filter((line) => line.section === section).length;
  const sections = {
    new: count('new'),
    continuing: count('continuing'),
    changed: count('changed'),
    ended: count('ended'),
  };
  return { month: text, file, orders: lines.length, ...sections };
}

interface ImportOptions {
  month: Day;
  file: string;
  dryRun: boolean;
}

export async function importOrders({ db, companyId, by }: CompanyContext, { month, file, dryRun }: ImportOptions) {
  const bytes = await readInput('--file', file);
  if (dryRun) {
    const { listed, ...counts } = await previewReturnedList(db, companyId, { month, bytes });
    return { ...counts, listed: listed.map(({ message, ...row }) => ({ ...row, detail: formatMessage(message) })) };
  }
  const { isApplied: _, ...applied } = await importReturnedList(
    db,
    companyId,
    { month, bytes, name: basename(file), origin: 'command' },
    by,
  );
  return applied;
}

export async function checkDeliveryByOperator(context: CompanyContext) {
  const { problems } = await checkDelivery(context);
  return { works: problems.length === 0, problems: problems.map(formatMessage) };
}
