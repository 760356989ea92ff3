import { nextOf } from '../../domain/chunks.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { getCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import type { CompanyContext } from '../context.ts';
import type { Renderer } from '../documents/pdf/renderer.ts';
import { type LettersBody, maxLetters, type SigningLetters } from './contract.ts';
import { composeLetters } from './letter.ts';
import { createLinks, listSignableIds } from './links.ts';
import { selectIds } from './select.ts';

/** Creates links for the selected employees, and returns the letters that bring them there, a page each. */
export async function printLetters(
  { db, config, companyId, by, write }: Pick<CompanyContext, 'db' | 'config' | 'companyId' | 'by' | 'write'>,
  { clock, renderer }: { clock: Clock; renderer: Pick<Renderer, 'renderLetters'> },
  { after, ...selection }: LettersBody,
): Promise<SigningLetters> {
  const selected = await selectIds(db, companyId, selection);
  const possible = await listSignableIds(db, companyId, selected);
  const { ids, ...rest } = nextOf(possible, { after, limit: maxLetters });
  const company = await getCompany(db, companyId);
  const logo = await findLogo(db, companyId);
  const today = todayIn(clock, company.timeZone);
  const links = await write((tx) => createLinks(tx, companyId, ids, { by, isPrinted: true }));
  const letters = composeLetters(links, { company, publicUrl: config.publicUrl, today, logo });
  const file = links.length === 0 ? null : await renderer.renderLetters(letters);
  return {
    created: links.length,
    skipped: selected.length - possible.length,
    ...rest,
    file: file?.toString('base64') ?? null,
  };
}
