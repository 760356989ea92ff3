import { isTestIn } from '../../domain/test-mark.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { viewFor } from '../../platform/http/view.ts';
import { getCompany } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import { type Renderer, startRenderer } from '../documents/pdf/renderer.ts';
import { portalRoutes } from '../portal-route.ts';
import { listInvitations, loadCampaign } from './campaign.ts';
import {
  CampaignSchema,
  InvitationsPageSchema,
  InvitationsQuery,
  InviteBody,
  InvitedSchema,
  InvitePreviewSchema,
  PrintBody,
  PrintedSchema,
  RemindedSchema,
  SelectionBody,
} from './contract.ts';
import { inviteSelected, previewInvitations, remindSelected } from './manage.ts';
import { printInvitations } from './print-letters.ts';

const routes = portalRoutes<{ renderer: Renderer }>((route, { db, clock, links, employeeMails, renderer }) => {
  route('GET /joining', {
    summary: 'Get how far the invitations to join have got',
    access: 'decisions',
    data: CampaignSchema,
    handle: ({ user, companyId }) =>
      inSnapshot(db, async (tx) => {
        const company = await getCompany(tx, companyId);
        const today = todayIn(clock, company.timeZone);
        const isMailConfigured = employeeMails.isConfigured;
        return loadCampaign(tx, company, { today, view: viewFor(user, links), isMailConfigured });
      }),
  });

  route('GET /joining/invitations', {
    summary: 'List invitations to join',
    description: 'The last one of each employee, with what became of it.',
    access: 'decisions',
    query: InvitationsQuery,
    returns: InvitationsPageSchema,
    handle: ({ user, companyId, query }) =>
      inSnapshot(db, (tx) => listInvitations(tx, { id: companyId }, query, todayIn(clock, user.company.timeZone))),
  });

  route('POST /joining/invitations/preview', {
    summary: 'Preview invitations to join',
    description: 'Who is invited, who is not and why, and what it costs if everybody joins. Changes nothing.',
    access: 'decisions',
    body: SelectionBody,
    data: InvitePreviewSchema,
    async handle({ reply, body, user, ...context }) {
      extendTimeout(reply);
      return (await previewInvitations(context, viewFor(user, links), body)).preview;
    },
  });

  route('POST /joining/invitations', {
    summary: 'Invite employees to join',
    description:
      'A new invitation replaces an earlier one, whose links stop working. Each employee is invited at most once a day.',
    access: 'decisions',
    body: InviteBody,
    data: InvitedSchema,
    problems: ['confirmation-mismatch', 'joining-not-allowed'],
    async handle({ reply, body, user, ...context }) {
      extendTimeout(reply);
      return inviteSelected(context, { employeeMails, view: viewFor(user, links) }, body);
    },
  });

  route('POST /joining/reminders', {
    summary: 'Remind employees of their invitation to join',
    description: 'Those who have neither joined nor declined, each at most once a day.',
    access: 'decisions',
    body: SelectionBody,
    data: RemindedSchema,
    problems: ['joining-not-allowed'],
    async handle({ reply, body, ...context }) {
      extendTimeout(reply);
      return remindSelected(context, employeeMails, body);
    },
  });

  route('POST /joining/letters', {
    summary: 'Print invitations to join as letters',
    description:
      'A page per employee with a personal code. Creates new codes: earlier letters of the same employees stop working. Prints up to 250, and says how many remain.',
    access: 'decisions',
    body: PrintBody,
    data: PrintedSchema,
    problems: ['joining-not-allowed'],
    async handle({ reply, body, ...context }) {
      extendTimeout(reply);
      return printInvitations(context, { config: context.config, renderer }, body);
    },
  });
});

export const joiningRoutes: Routes = (app, context) => {
  const renderer = startRenderer(isTestIn(context.config.environment));
  app.addHook('onClose', () => renderer.stop());
  routes(app, { ...context, renderer });
};
