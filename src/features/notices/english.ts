import type { MailTexts } from './texts.ts';

const notYou = (url: string) =>
  `If this was not you, change your password now and end your other sessions: ${url}. Then inform an admin of your company.`;
const notice =
  'You receive this mail because you are a user of the portal. In the portal, under Account, you can switch it off.';

export const english: MailTexts = {
  test: ({ url }) => ({
    subject: 'Test mail',
    paragraphs: [`This is a test. The service at ${url} can send mail.`],
    notes: [],
  }),
  invitation: ({ company, inviter, url, expires }, { time }) => ({
    subject: `Invitation to the portal of ${company}`,
    paragraphs: [
      `${inviter} invites you to the transit benefits portal of ${company}. Open the link and choose a password.`,
    ],
    action: { label: 'Accept the invitation', url },
    notes: [`The link works once, until ${time(expires)}.`, 'If you do not expect an invitation, ignore this mail.'],
  }),
  verification: ({ company, url, expires }, { time }) => ({
    subject: 'Confirm your email address',
    paragraphs: [`Confirm that this is your email address in the transit benefits portal of ${company}.`],
    action: { label: 'Confirm the address', url },
    notes: [`The link works once, until ${time(expires)}.`, 'If you have no account there, ignore this mail.'],
  }),
  'password-reset': ({ company, url, expires }, { time }) => ({
    subject: 'Choose a new password',
    paragraphs: [
      `Somebody has requested a new password for your account in the transit benefits portal of ${company}.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      `The link works once, until ${time(expires)}.`,
      'If it was not you, ignore this mail. Your password stays the same.',
    ],
  }),
  'new-sign-in': ({ company, time: at, network, device, url }, { time }) => ({
    subject: 'New sign-in to the portal',
    paragraphs: [
      `Somebody signed in to your account in the transit benefits portal of ${company} from a network that you have not used before.`,
      `Time: ${time(at)}. Network: ${network}. Device: ${device}.`,
    ],
    notes: ['If this was you, there is nothing to do.', notYou(url)],
  }),
  'password-changed': ({ company, time: at, url }, { time }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account in the transit benefits portal of ${company} was changed on ${time(at)}. All other sessions have ended.`,
    ],
    notes: [notYou(url)],
  }),
  'second-factor-changed': ({ company, change, time: at, url }, { time }) => {
    const what = {
      'app-added': 'An authenticator app was added.',
      'app-removed': 'The authenticator app was removed.',
      'passkey-added': 'A passkey was added.',
      'passkey-removed': 'A passkey was removed.',
      'codes-renewed': 'New recovery codes were created. The old ones do not work any more.',
      'reset-by-admin': 'An admin of your company has removed your authenticator app, passkeys and recovery codes.',
      'reset-by-operator': 'The operator has removed your authenticator app, passkeys and recovery codes.',
    }[change];
    return {
      subject: 'Your second factor was changed',
      paragraphs: [
        `This changed on ${time(at)} for your account in the transit benefits portal of ${company}: ${what}`,
      ],
      notes: [notYou(url)],
    };
  },
  'signing-link': ({ company, name, url, expires }, { time }) => ({
    subject: `Your transit ticket contract with ${company}`,
    paragraphs: [
      `Hello ${name},`,
      `${company} offers you a transit ticket. Read the contract and sign it with this link.`,
    ],
    action: { label: 'Read and sign the contract', url },
    notes: [`The link is yours alone. It works until ${time(expires)}. Do not pass it on.`],
  }),
  'signing-reminder': ({ company, name, url, expires }, { time }) => ({
    subject: `Reminder: your transit ticket contract with ${company}`,
    paragraphs: [
      `Hello ${name},`,
      `Your transit ticket contract with ${company} is still open. Read the contract and sign it with this link.`,
    ],
    action: { label: 'Read and sign the contract', url },
    notes: [`The link is yours alone. It works until ${time(expires)}. Do not pass it on.`],
  }),
  'removals-waiting': ({ company, integration, removals, url }) => ({
    subject: `${company}: ${removals} removals wait for approval`,
    paragraphs: [
      `${removals} employees are missing from the latest roster of ${integration}. Too many removals at once: approval required.`,
    ],
    action: { label: 'Check the removals', url },
    notes: [notice],
  }),
  'sync-failed': ({ company, integration, url }) => ({
    subject: `${company}: a sync of ${integration} failed`,
    paragraphs: [`The latest roster of ${integration} was not applied. No employee was changed.`],
    action: { label: 'See why', url },
    notes: [notice],
  }),
  'roster-overdue': ({ company, integration, since, url }, { time }) => ({
    subject: `${company}: the roster of ${integration} is overdue`,
    paragraphs: [
      `No roster of ${integration} has arrived since ${time(since)}. People who joined or left are not up to date.`,
    ],
    action: { label: 'Check the integration', url },
    notes: [notice],
  }),
  'ticket-differences': ({ company, month: at, count, url }, { month }) => ({
    subject: `${company}: tickets of ${month(at)} to check`,
    paragraphs: [
      `${count === 1 ? 'One ticket' : `${count} tickets`} of ${month(at)} ${count === 1 ? 'differs' : 'differ'} from what the issuer has. The page says for each what to do.`,
    ],
    action: { label: 'See the tickets', url },
    notes: [notice],
  }),
  'key-expiring': ({ company, key, expires, url }, { day }) => ({
    subject: `${company}: the API key "${key}" expires soon`,
    paragraphs: [
      `The API key "${key}" works until ${day(expires)}. Create a new one before, and give it to the system that uses it.`,
    ],
    action: { label: 'See the keys', url },
    notes: [notice],
  }),
  'webhook-disabled': ({ company, host, url }) => ({
    subject: `${company}: a webhook endpoint was disabled`,
    paragraphs: [
      `The webhook endpoint at ${host} was disabled, because it accepts no events any more. Events wait until you enable it.`,
    ],
    action: { label: 'Check the endpoint', url },
    notes: [notice],
  }),
  'month-billed': ({ company, month: at, url }, { month }) => ({
    subject: `${company}: ${month(at)} was billed`,
    paragraphs: [`The tickets of ${month(at)} have been billed.`],
    action: { label: 'See the billing', url },
    notes: [notice],
  }),
  'price-changes': ({ company, month: at, cutOff, price, url }, { month, day }) => ({
    subject: `${company}: new ticket price from ${month(at)}`,
    paragraphs: [
      `From ${month(at)} the ticket costs ${price}. The page Benefit policies shows what that means for each policy, and whether agreements are needed.`,
      `Pauses and cancellations by ${day(cutOff)} take effect before the new price. Employees who pay the whole price get a mail before.`,
    ],
    action: { label: 'See the effect', url },
    notes: [notice],
  }),
};
