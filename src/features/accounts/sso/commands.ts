import type { CommandContext } from '../../../platform/cli/define.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import { assertCompany, changeCompany, inTransaction } from '../../command-context.ts';
import { deleteConnection, findConnection } from './connection.ts';
import { insertDomain, listDomains, parseDomain, proveDomain } from './domains.ts';
import { redirectUriOf } from './provider.ts';

interface DomainOptions {
  company: CompanyId;
  domain: string;
}

export const showSso = ({ company }: { company: CompanyId }, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    await assertCompany(tx, company);
    const domains = await listDomains(tx, company);
    return {
      connection: (await findConnection(tx, company)) ?? null,
      redirectUri: redirectUriOf(config, company),
      domains: domains.map(({ domain, isProven }) => ({ domain, isProven })),
    };
  });

/** Records the operator's word that a domain belongs to a company. */
export const proveSsoDomain = ({ company, domain: text }: DomainOptions, { config }: CommandContext) => {
  const domain = parseDomain(text);
  if (domain === undefined) throw new OperatorError('--domain must be a domain, such as example.com.');
  return changeCompany(config, company, async (tx) => {
    await assertCompany(tx, company);
    await insertDomain(tx, company, domain);
    if (!(await proveDomain(tx, company, domain, {})))
      throw new OperatorError(`Another company has proven ${domain}: remove it there first.`);
    return { domain };
  });
};

export const removeSso = ({ company }: { company: CompanyId }, { config }: CommandContext) =>
  changeCompany(config, company, async (tx) => {
    await assertCompany(tx, company);
    return { removed: await deleteConnection(tx, company, {}) };
  });
