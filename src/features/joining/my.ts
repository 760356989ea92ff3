import { randomUUID } from 'node:crypto';
import { createMessage } from '../../domain/messages/message.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { countAttempt } from '../accounts/throttle.ts';
import { mailAccessLink } from '../employee-access/links.ts';
import type { Access } from '../employee-access/start-session.ts';
import { myRoutes } from '../my-route.ts';
import { InvitationBody, OfferSchema } from './my-contract.ts';
import { declineOffer, findInvited, openOffer } from './offer.ts';

/** How many links an invitation gets within 15 minutes. */
const maxLinks = 5;

/** Serves people who were invited and have no session. The token of their link lets them see the offer, and no more. */
export const invitationRoutes = myRoutes<Access>((route, context) => {
  const { config, db, clock, links, employeeMails, cookies } = context;
  const open = { access: 'public', limit: 'access', body: InvitationBody, problems: ['not-found'] } as const;

  route('POST /access/invitation', {
    summary: 'Get the offer of an invitation',
    description: 'Records that it was opened.',
    ...open,
    data: OfferSchema,
    handle: ({ body: { token } }) => openOffer({ db, clock, links }, token),
  });

  route('POST /access/invitation/link', {
    summary: 'Ask for a link by mail to join',
    description:
      'Goes to the address in the roster, and opens in this browser only: who has the link of an invitation does not get in with it.',
    ...open,
    problems: ['not-found', 'mail-not-configured', 'sign-in-throttled'],
    async handle({ request, reply, body: { token } }) {
      if (!employeeMails.isConfigured) throw new ApiError('mail-not-configured', createMessage('access-without-mail'));
      const { companyId, employeeId } = await findInvited({ db, clock }, token);
      await countAttempt(db, `invitation link ${companyId}/${employeeId}`, maxLinks);
      const browserHash = cookies.markBrowser(request, reply);
      const by = { actor: { type: 'employee', name: String(employeeId) }, at: clock.now() } as const;
      const link = { companyId, employee: { id: employeeId }, id: randomUUID(), browserHash, otherCompanies: [], by };
      await writeCompany(db, companyId, (tx) => mailAccessLink(tx, { config, employeeMails }, link));
    },
  });

  route('POST /access/invitation/decline', {
    summary: 'Decline an invitation',
    description: 'The employee is not reminded, and can still change their mind. The same again has no further effect.',
    ...open,
    handle: ({ body: { token } }) => declineOffer({ db, clock }, token),
  });
});
