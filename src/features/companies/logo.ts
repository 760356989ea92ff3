import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { sql } from 'kysely';
import { logoLimits } from '../../domain/choices.ts';
import { createMessage } from '../../domain/messages/message.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { isComplete, readPixels } from './rules/logo.ts';

/** Returns the logo on the letters of a company as PNG, or null if it has none. */
export async function findLogo(db: Db | Tx, companyId: CompanyId): Promise<Buffer | null> {
  const { rows } = await sql<{ logo: Buffer | null }>`
    select logo from companies where id = ${companyId}`.execute(db);
  return rows[0]?.logo ?? null;
}

/** Decompresses the picture once, beside the event loop and no further than its size allows. */
async function isPrintable(logo: Buffer): Promise<boolean> {
  const pixels = readPixels(logo);
  if (pixels === undefined) return false;
  const maxOutputLength = pixels.rows * pixels.rowBytes;
  const unpacked = await promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)(pixels.data, {
    maxOutputLength,
  }).catch(() => undefined);
  return unpacked !== undefined && isComplete(unpacked, pixels);
}

const nameOf = (logo: Buffer | null) =>
  logo === null ? null : `PNG ${createHash('sha256').update(logo).digest('hex').slice(0, 12)}`;

/** Sets the logo, or removes it. Throws if letters cannot show it. */
export async function changeLogo({ companyId, by, write }: CompanyContext, logo: Buffer | null): Promise<void> {
  if (logo !== null && !(await isPrintable(logo))) {
    const limits = { kilobytes: logoLimits.bytes / 1024, pixels: logoLimits.pixelsPerSide };
    throw new ApiError('unsupported-media-type', createMessage('logo-not-usable', limits));
  }
  await write(async (tx) => {
    const detail = { setting: 'logo', from: nameOf(await findLogo(tx, companyId)), to: nameOf(logo) };
    if (detail.from === detail.to) return;
    await sql`update companies set logo = ${logo}, updated_at = ${by.at.toString()}::timestamptz
      where id = ${companyId}`.execute(tx);
    await insertAudit(tx, companyId, { action: 'company.change-setting', target: 'logo', detail, ...by });
  });
}
