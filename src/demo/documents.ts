import { sql } from 'kysely';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { searchText } from '../domain/search.ts';
import type { DocumentStore } from '../employee-documents/store.ts';
import { batches } from './batches.ts';
import { type Calendar, earlier, later } from './calendar.ts';
import * as letters from './letters.ts';
import { type Member, removedAt } from './members.ts';
import { type Letter, renderPdf } from './pdf.ts';
import { ranIn } from './subscriptions.ts';

interface Paper {
  owner: Member | null;
  name: string;
  fileType: string;
  createdAt: string;
  content: Letter | Buffer | null;
}

/** Never opened, because only PDFs can be downloaded, but real: a picture of one dot, and an empty archive. */
const dotPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const emptyArchive = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

const pdfOf = (owner: Member | null, createdAt: string, letter: Letter): Paper => ({
  owner,
  name: letter.title,
  fileType: 'pdf',
  createdAt,
  content: letter,
});

/** Somebody's work is done by day; what the first of a month brings is there right after midnight. */
const workTime = '10:00';
const nightTime = '00:06';

/** The letters a person has got. Only every second, third … has them, so that making the demo stays quick. */
function papersOf(member: Member, index: number, calendar: Calendar): Paper[] {
  const { person } = member;
  const { startOn, cancelledOn } = person.dates;
  const isSigned = person.contract === null || person.contract === 'accepted';
  if (startOn === null || !isSigned) return [];
  const every = (step: number) => index % step === 0 || person.removedOn !== null;
  const within = (date: Temporal.PlainDate) => later(person.createdOn, earlier(date, calendar.yesterday));
  const papers: Paper[] = [];
  const confirmedOn = within(startOn.subtract({ days: 10 }));
  const confirmedAt = calendar.at(confirmedOn, workTime);
  if (every(2)) papers.push(pdfOf(member, confirmedAt, letters.subscriptionConfirmation(member, confirmedOn, startOn)));
  if (every(3) && person.contract !== null) {
    papers.push(pdfOf(member, confirmedAt, letters.contributionAgreement(member, confirmedOn, startOn)));
  }
  if (every(14)) {
    const months = calendar.months.filter((month) => ranIn(person.dates, month)).slice(-3);
    for (const month of months) {
      papers.push(pdfOf(member, calendar.at(month, nightTime), letters.ticketConfirmation(member, month)));
    }
  }
  if (cancelledOn !== null) {
    // Early in the month before, in time for the cut-off; at once where no ticket was running.
    const date = within(cancelledOn.day === 1 ? cancelledOn.subtract({ days: 24 }) : cancelledOn);
    const letter = letters.cancellationConfirmation(member, date, cancelledOn);
    papers.push(pdfOf(member, calendar.at(date, workTime), letter));
  }
  return papers;
}

/** What cannot be downloaded: other file types, and letters that are still to be rendered. */
function unreadablePapersOf(owner: Member, index: number, calendar: Calendar): Paper[] {
  const { createdOn, dates, removedOn } = owner.person;
  if (removedOn !== null) return [];
  const addedOn = later(createdOn, calendar.yesterday.subtract({ days: index % 60 }));
  const added = (name: string, fileType: string, content: Buffer): Paper => ({
    owner,
    name,
    fileType,
    createdAt: calendar.at(addedOn, workTime),
    content,
  });
  const month = calendar.month(0);
  const nth = index % 50;
  if (nth === 7) return [added('Antrag Fahrtkostenzuschuss', 'docx', emptyArchive)];
  if (nth === 19) return [added('Scan Unterschrift', 'png', dotPng)];
  if (nth < 31 || nth > 33 || !ranIn(dates, month)) return [];
  const name = letters.ticketConfirmationName(month);
  return [{ owner, name, fileType: 'pdf', createdAt: calendar.at(month, nightTime), content: null }];
}

function createPapers(members: Member[], calendar: Calendar): Paper[] {
  const { joined, today, at } = calendar;
  const newYear = today.with({ month: 1, day: 1 });
  const papers = [
    pdfOf(null, at(joined, workTime), letters.frameworkAgreement(joined)),
    pdfOf(null, at(newYear, nightTime), letters.priceSheet(newYear)),
    ...members.flatMap((member, index) => [
      ...papersOf(member, index, calendar),
      ...unreadablePapersOf(member, index, calendar),
    ]),
  ];
  return papers.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

export async function insertDocuments(
  tx: Tx,
  companyId: CompanyId,
  calendar: Calendar,
  members: Member[],
  store: Pick<DocumentStore, 'put'>,
): Promise<void> {
  const papers = createPapers(members, calendar);
  const toRow = async ({ owner, name, fileType, createdAt, content }: Paper) => {
    const bytes = content === null || Buffer.isBuffer(content) ? content : await renderPdf(content);
    const file = bytes && (await store.put(companyId, fileType, bytes));
    return {
      company_id: companyId,
      employee_id: owner?.id ?? null,
      name,
      search_text: searchText(name),
      file_type: fileType,
      store_key: file?.key ?? null,
      sha256: file?.sha256 ?? null,
      size_bytes: file?.sizeBytes ?? null,
      created_at: createdAt,
      updated_at: createdAt,
      removed_at: owner && removedAt(owner.person, calendar),
    };
  };
  for (const batch of batches(papers)) {
    const rows = batch.map(toRow);
    // No file may still be on its way when the caller clears up after a failure.
    await Promise.allSettled(rows);
    await tx
      .insertInto('documents')
      .values(await Promise.all(rows))
      .execute();
  }
  const visible = papers.filter(({ owner }) => !owner?.person.removedOn).length;
  await sql`insert into document_counts (company_id, documents) values (${companyId}, ${visible})`.execute(tx);
}
