import { createMessage } from '../../../domain/messages/message.ts';
import { ApiError, invalidValue } from '../../../platform/http/errors.ts';
import type { CompanyContext } from '../../context.ts';
import { deleteConnection, findConnection } from './connection.ts';
import { insertDomain, listDomains, parseDomain, proveDomain, recordNameOf } from './domains.ts';
import { redirectUriOf } from './provider.ts';

/** Returns the connection of a company, its domains, and how to prove them. */
export async function showSso({ config, db, companyId }: Pick<CompanyContext, 'config' | 'db' | 'companyId'>) {
  const domains = await listDomains(db, companyId);
  return {
    connection: (await findConnection(db, companyId)) ?? null,
    domains: domains.map(({ domain, isProven, token }) => ({
      ...{ domain, isProven },
      ...{ recordName: recordNameOf(domain), recordValue: token },
    })),
    redirectUri: redirectUriOf(config, companyId),
  };
}

/** Returns a domain as it is stored. Throws if this is not the name of one. */
export function readDomain(text: string): string {
  const domain = parseDomain(text);
  if (domain === undefined) throw invalidValue('/domain', 'not-allowed', createMessage('sso-domain'));
  return domain;
}

/** Records the operator's word that a domain belongs to a company. */
export async function addProvenDomain({ companyId, by, write }: CompanyContext, { domain: text }: { domain: string }) {
  const domain = readDomain(text);
  return write(async (tx) => {
    await insertDomain(tx, companyId, domain);
    if (await proveDomain(tx, companyId, domain, by)) return { domain };
    throw new ApiError('invalid-body', `Another company has proven ${domain}: remove it there first.`);
  });
}

/** Removes the connection. Its users sign in with passwords again. */
export const removeSso = async ({ companyId, by, write }: CompanyContext) => ({
  removed: await write((tx) => deleteConnection(tx, companyId, by)),
});
