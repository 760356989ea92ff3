import { sql } from 'kysely';
import { loadPrices } from '../../features/billing/prices.ts';
import { insertDocument } from '../../features/documents/add.ts';
import type { DocumentStore } from '../../features/documents/files.ts';
import { renderDocument } from '../../features/documents/pdf/render.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Calendar } from './calendar.ts';
import { frameworkAgreement, priceSheet } from './company-documents.ts';
import type { DemoContext } from './context.ts';
import { offerOn } from './plans.ts';

/**
 * Valid but minimal files: an image of one pixel, and an empty archive. They are never opened, because only PDFs can be
 * downloaded.
 */
const dotPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const emptyArchive = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

/** Returns some employees that no roster can remove. */
async function listStayers({ tx, companyId }: DemoContext): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null and not e.is_leaving
      and e.subscription_status = 'active' order by e.id limit 6`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Adds the files that HR uploaded manually yesterday: documents of the company, and non-PDF files of some employees.
 */
export async function addDocuments(
  context: DemoContext,
  calendar: Calendar,
  companyName: string,
  store: Pick<DocumentStore, 'put'>,
): Promise<void> {
  const { tx, companyId, deps } = context;
  const { joined, today, yesterday } = calendar;
  const add = async (employeeId: number | null, name: string, fileType: string, content: Buffer) => {
    const file = await store.put(companyId, fileType, content);
    await insertDocument(tx, companyId, { employeeId, name, fileType, file }, deps.clock.now());
  };
  deps.clock.moveTo(yesterday, '20:45');
  for (const [nth, employeeId] of (await listStayers(context)).entries()) {
    if (nth % 2 === 0) await add(employeeId, 'Antrag Fahrtkostenzuschuss', 'docx', emptyArchive);
    else await add(employeeId, 'Scan Unterschrift', 'png', dotPng);
  }
  const newYear = today.with({ month: 1, day: 1 });
  const prices = await loadPrices(tx);
  for (const document of [
    frameworkAgreement(companyName, joined, offerOn(calendar, joined)),
    priceSheet(companyName, newYear, prices),
  ]) {
    await add(null, document.title, 'pdf', await renderDocument(document));
  }
}
