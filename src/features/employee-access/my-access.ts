import type { FastifyRequest } from 'fastify';
import { createMessage } from '../../domain/messages/message.ts';
import { emailKey as keyOf } from '../../domain/search.ts';
import { hashSecret, parseToken } from '../../platform/crypto/company-token.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { secureName } from '../accounts/cookies.ts';
import { FinishSsoBody, StartedSsoSchema, StartSsoBody } from '../accounts/sso/contract.ts';
import { createSsoExchange } from '../accounts/sso/exchange.ts';
import { countAttempt } from '../accounts/throttle.ts';
import { insertAudit } from '../activity/record.ts';
import { myRoutes } from '../my-route.ts';
import { employeeStatePrefix, LetterBody, OpenLinkBody, RequestLinkBody } from './contract.ts';
import { checkLetterCode } from './letters.ts';
import { sealRequest } from './links.ts';
import { type Access, startSession } from './start-session.ts';
import { deleteLetterCode, deleteLink, findLink, listCompaniesOf, lockEmployee } from './store.ts';

/** How many links an address gets within 15 minutes. */
const maxLinksOfAddress = 5;

type Refusal = 'access-link-invalid' | 'access-link-other-browser' | 'access-letter-invalid';

const refused = (reason: Refusal) => new ApiError('access-refused', createMessage(reason));

/** Lets employees in with a link that is mailed to the address in the roster. */
export const linkRoutes = myRoutes<Access>((route, context) => {
  const { db, employeeMails, queue, encryption, cookies, trail } = context;

  route('POST /access/link', {
    summary: 'Ask for a link by mail',
    description: 'The same, and in the same time, whether or not an employee has the address: a job looks it up.',
    access: 'public',
    limit: 'access',
    body: RequestLinkBody,
    problems: ['mail-not-configured', 'sign-in-throttled'],
    async handle({ request, reply, body: { email } }) {
      if (!employeeMails.isConfigured) throw new ApiError('mail-not-configured', createMessage('access-without-mail'));
      const key = keyOf(email);
      await countAttempt(db, `employee link ${key}`, maxLinksOfAddress).catch((error: unknown) => {
        trail.logFailure(request, key, 'throttled');
        throw error;
      });
      const browserHash = cookies.markBrowser(request, reply);
      await queue.enqueueAccessLink(sealRequest(encryption, { email, browserHash }));
    },
  });

  route('POST /access/open', {
    summary: 'Get in with a link',
    description:
      'Once, within 30 minutes. A link that was asked for in a browser opens in that browser only. Reading the address of a link has no effect, so that scanners of mails do not use it up.',
    access: 'public',
    limit: 'access',
    body: OpenLinkBody,
    problems: ['access-refused'],
    async handle({ request, reply, body }) {
      const token = parseToken(body.token);
      const fail = (reason: Refusal) => {
        trail.logFailure(request, 'link of an employee', reason);
        return refused(reason);
      };
      if (token === undefined) throw fail('access-link-invalid');
      const { companyId, secret } = token;
      const link = await findLink(db, companyId, hashSecret(secret));
      if (link === undefined) throw fail('access-link-invalid');
      const { id, employeeId, browserHash, otherCompanies } = link;
      if (browserHash !== null && !cookies.findBrowser(request)?.equals(browserHash))
        throw fail('access-link-other-browser');
      const isOpen = await startSession(context, request, reply, {
        companyId,
        method: otherCompanies === null ? 'passed-on-link' : 'mailed-link',
        async prove(tx) {
          const employee = await lockEmployee(tx, companyId, { id: employeeId });
          if (employee === undefined || !(await deleteLink(tx, companyId, id))) return undefined;
          return { employeeId, ...(otherCompanies !== null && { emailKey: employee.emailKey }) };
        },
        listOthers: async () => (otherCompanies ?? []).map(asCompanyId),
      });
      if (!isOpen) throw fail('access-link-invalid');
    },
  });
});

/** Lets employees in with the code of a letter, who may have no mail. */
export const letterRoutes = myRoutes<Access>((route, context) => {
  const { db, clock, trail } = context;

  route('POST /access/letter', {
    summary: 'Get in with the code of a letter',
    description: 'Once, within 60 days. After five attempts a letter is worthless. The same whatever is wrong.',
    access: 'public',
    limit: 'access',
    body: LetterBody,
    problems: ['access-refused', 'sign-in-throttled'],
    async handle({ request, reply, body }) {
      const companyId = asCompanyId(body.companyId);
      const withdraw = context.countClient(request.ip);
      const { found, tried } = await checkLetterCode(db, { ...body, companyId });
      const isOpen =
        found !== undefined &&
        (await startSession(context, request, reply, {
          ...{ companyId, method: 'letter' },
          async prove(tx) {
            const { employeeId } = found;
            const employee = await lockEmployee(tx, companyId, { id: employeeId });
            return employee && (await deleteLetterCode(tx, companyId, found)) ? { employeeId } : undefined;
          },
          listOthers: async () => [],
        }));
      if (isOpen) return withdraw();
      trail.logFailure(request, `letter of company ${companyId}`, 'access-letter-invalid');
      // After the response, whose time would otherwise reveal that there is a letter.
      trail.runLater(
        () => recordFailures(request, companyId, tried),
        (error) => request.log.error({ err: error }, 'failed attempt at a letter could not be recorded'),
      );
      throw refused('access-letter-invalid');
    },
  });

  async function recordFailures(request: FastifyRequest, companyId: CompanyId, employeeIds: readonly number[]) {
    for (const employeeId of employeeIds) {
      const entry = { action: 'employee.sign-in-failed', target: String(employeeId), detail: trail.originOf(request) };
      const actor = { type: 'service', name: null } as const;
      await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, { ...entry, actor, at: clock.now() }));
    }
  }
});

/** Lets employees in who sign in at the identity provider of their company. */
export const ssoAccessRoutes = myRoutes<Access>((route, context) => {
  const { config, db } = context;
  const exchange = createSsoExchange(context, {
    kind: 'employee-sso',
    cookie: { name: secureName(config, 'transit.my_sso'), path: '/my/api/access/sso' },
    statePrefix: employeeStatePrefix,
  });

  route('POST /access/sso/start', {
    summary: 'Start to sign in at an identity provider',
    description: 'By the domain of the address. The same whether or not an employee has the address.',
    access: 'public',
    limit: 'access',
    body: StartSsoBody,
    data: StartedSsoSchema,
    problems: ['sso-failed'],
    handle: async ({ request, reply, body: { email } }) => ({ url: await exchange.start(request, reply, email) }),
  });

  route('POST /access/sso/finish', {
    summary: 'Finish to sign in at an identity provider',
    description: 'Only in the browser that started. Never creates an employee, nor a user of the portal.',
    access: 'public',
    limit: 'access',
    body: FinishSsoBody,
    problems: ['sso-failed'],
    async handle({ request, reply, body }) {
      const { companyId, connection, identity, refuse, end } = await exchange.finish(request, reply, body);
      // Otherwise anybody who may choose their address at the provider could be any employee.
      if (!identity.isVerified) throw refuse('sso-no-address');
      const emailKey = keyOf(identity.email);
      const isOpen = await startSession(context, request, reply, {
        ...{ companyId, method: 'single-sign-on', issuer: connection.issuer },
        async prove(tx) {
          const employee = await lockEmployee(tx, companyId, { emailKey });
          return employee && { employeeId: employee.id, emailKey };
        },
        listOthers: async () => (await listCompaniesOf(db, emailKey)).companyIds,
      });
      if (!isOpen) throw refuse('sso-no-employee');
      end();
    },
  });
});
