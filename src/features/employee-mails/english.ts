import type { ChangeMaker, EmployeeMailFormats, EmployeeMailTexts, EmployeeMailValues } from './texts.ts';

const makers: Record<ChangeMaker, string> = {
  employee: 'You have',
  hr: 'Your HR department has',
  system: "Your company's HR system has",
  operator: 'The operator has, for your company,',
};

const page = (url: string) => ({ label: 'Open my page', url });

/** Only who made a change themselves can undo it on their page. */
const undoOr = (by: ChangeMaker, until: string | null): string[] => {
  if (by !== 'employee') return ['Your HR department answers questions about it.'];
  return until === null ? [] : [`You can undo this on your page until ${until}.`];
};

const orNull = <T>(value: T | null, format: (value: T) => string) => (value === null ? null : format(value));

export const english: EmployeeMailTexts = {
  greeting: (name) => `Hello ${name},`,
  answers: (company) => `Questions? Reply to this mail. Your reply goes to ${company}.`,
  unsubscribe: {
    what: {
      ticket: 'Do you not want mails about new tickets any more?',
      invitation: 'Do you not want invitations to the transit ticket any more?',
    },
    label: 'Unsubscribe',
  },
  kinds: {
    'access-link': ({ url, expiresAt }, { company }, { time }) => ({
      subject: 'Your link to your transit ticket',
      paragraphs: [`This link opens your page about the transit ticket from ${company}.`],
      action: page(url),
      notes: [
        `The link works once, until ${time(expiresAt)}. Do not pass it on.`,
        'If you have not requested a link, ignore this mail.',
      ],
    }),
    invitation: ({ token, expiresAt, employeeCents, companyCents }, { company, pageUrl }, { time, money }) => ({
      subject: `Your transit ticket from ${company}`,
      paragraphs: [
        `${company} offers you a ticket for public transit.`,
        employeeCents === 0
          ? `${company} pays for the ticket. You pay nothing.`
          : `You pay ${money(employeeCents)} per month${companyCents === 0 ? '' : `, ${company} pays ${money(companyCents)}`}.`,
      ],
      action: { label: 'See the offer', url: `${pageUrl}/invitation#${token}` },
      notes: [`The link is yours alone. It works until ${time(expiresAt)}. Do not pass it on.`],
    }),
    'invitation-reminder': ({ token, expiresAt, employeeCents }, { company, pageUrl }, { time, money }) => ({
      subject: `Reminder: your transit ticket from ${company}`,
      paragraphs: [
        `${company} still offers you a transit ticket.`,
        employeeCents === 0 ? 'The ticket costs you nothing.' : `You pay ${money(employeeCents)} per month.`,
      ],
      action: { label: 'See the offer', url: `${pageUrl}/invitation#${token}` },
      notes: [`The link is yours alone. It works until ${time(expiresAt)}. Do not pass it on.`],
    }),
    welcome: ({ by, firstTicket, firstDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: `Your transit ticket from ${month(firstTicket)}`,
      paragraphs: [
        `${makers[by]} ordered the transit ticket from ${company}.`,
        `First ticket: ${month(firstTicket)}.${firstDeduction === null ? ' You pay nothing.' : ` First deduction from your salary: ${month(firstDeduction)}.`}`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    ticket: ({ month: of }, { company, pageUrl }, { month, monthName }) => ({
      subject: `Your ticket for ${monthName(of)}`,
      paragraphs: [
        `Your transit ticket from ${company} for ${month(of)} is here.`,
        'Open it once while you are online. Then your phone shows it offline, too.',
      ],
      action: { label: 'Open the ticket', url: pageUrl },
      notes: [],
    }),
    agreement: (values, { company, pageUrl }, formats) => ({
      subject: 'Your transit ticket agreement changes',
      paragraphs: [
        `Your share of the transit ticket from ${company} is to change. ${newShare(values, formats)}`,
        'This needs your consent. Read the agreement, and decide whether you accept it.',
        withoutAnswer(values, formats),
      ],
      action: { label: 'Read the agreement', url: pageUrl },
      notes: [],
    }),
    'agreement-reminder': (values, { company, pageUrl }, formats) => ({
      subject: `Reminder: your consent by ${formats.day(values.acceptUntil)}`,
      paragraphs: [
        `You have not decided about your new share of the transit ticket from ${company}. ${newShare(values, formats)}`,
        withoutAnswer(values, formats),
      ],
      action: { label: 'Read the agreement', url: pageUrl },
      notes: [],
    }),
    'plan-changed': (values, { company, pageUrl }, formats) => ({
      subject: `Your share of the transit ticket from ${formats.month(values.from)}`,
      paragraphs: [
        `${company} changes who pays what for your transit ticket. ${newShare(values, formats)}`,
        'You need not do anything.',
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'price-changed': (values, { company, pageUrl }, formats) => ({
      subject: `Your transit ticket costs ${formats.money(values.employeeCents)} from ${formats.month(values.from)}`,
      paragraphs: [
        `The price of the transit ticket from ${company} changes. By your agreement you pay all of it. ${newShare(values, formats)}`,
        'You need not do anything. You can pause or cancel on your page.',
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'pause-confirmed': (
      { by, from, nextTicket, lastTicket, lastDeduction, undoUntil },
      { company, pageUrl },
      { day, month },
    ) => ({
      subject: `Your transit ticket pauses from ${month(from)}`,
      paragraphs: [
        `${makers[by]} paused the transit ticket from ${company}, from ${month(from)}.`,
        ...lastOnes(orNull(lastTicket, month), orNull(lastDeduction, month)),
        nextTicket === null ? 'The end of the pause is open.' : `The next ticket is for ${month(nextTicket)}.`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'resumption-confirmed': ({ by, nextTicket, nextDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: `Your transit ticket continues in ${month(nextTicket)}`,
      paragraphs: [
        `${makers[by]} ended the pause of the transit ticket from ${company}.`,
        `Next ticket: ${month(nextTicket)}.${nextDeduction === null ? ' You pay nothing.' : ` Next deduction from your salary: ${month(nextDeduction)}.`}`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'cancellation-confirmed': ({ by, lastTicket, lastDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: 'Your transit ticket ends',
      paragraphs: [
        `${makers[by]} cancelled the transit ticket from ${company}.`,
        ...lastOnes(orNull(lastTicket, month), orNull(lastDeduction, month)),
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'undo-confirmed': ({ by, action, nextTicket }, { company, pageUrl }, { month }) => ({
      subject: `${undone[action].subject} is undone`,
      paragraphs: [
        `${makers[by]} undone ${undone[action].object} of the transit ticket from ${company}.`,
        nextTicket === null ? 'You get no further ticket.' : `The next ticket is for ${month(nextTicket)}.`,
        ...undoOr(by, null),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'ticket-replaced': ({ by, month: of, reason }, { company, pageUrl }, { month, monthName }) => ({
      subject: `Your new ticket for ${monthName(of)}`,
      paragraphs: [
        `${makers[by]} replaced the ticket from ${company} for ${month(of)}.${reasons[reason]}`,
        'Use only the new ticket from now on.',
      ],
      action: { label: 'Open the ticket', url: pageUrl },
      notes: by === 'employee' ? ['If this was not you, tell your HR department.'] : [],
    }),
  },
};

type Formats = EmployeeMailFormats;

function newShare(
  { from, oldCents, employeeCents }: { from: string; oldCents: number; employeeCents: number },
  { month, money }: Formats,
): string {
  if (oldCents === employeeCents) return `From ${month(from)} you still pay ${money(employeeCents)} per month.`;
  return `From ${month(from)} you pay ${money(employeeCents)} per month instead of ${money(oldCents)}.`;
}

function withoutAnswer(
  { acceptUntil, noAnswer, noAnswerFrom, oldCents }: EmployeeMailValues['agreement'],
  { day, month, money }: Formats,
): string {
  const until = `Without your consent by ${day(acceptUntil)}`;
  if (noAnswer === 'keep') return `${until}, you still pay ${money(oldCents)} per month.`;
  return `${until}, ${noAnswer === 'pause' ? 'your transit ticket pauses' : 'you have no transit ticket'} from ${month(noAnswerFrom)}.`;
}

function lastOnes(ticket: string | null, deduction: string | null): string[] {
  const texts = [
    ticket === null ? 'You get no further ticket.' : `Last ticket: ${ticket}.`,
    ...(deduction === null ? [] : [`Last deduction from your salary: ${deduction}.`]),
  ];
  return [texts.join(' ')];
}

const undone = {
  subscribe: { subject: 'Your order', object: 'the order' },
  pause: { subject: 'Your pause', object: 'the pause' },
  resume: { subject: 'The end of your pause', object: 'the end of the pause' },
  cancel: { subject: 'Your cancellation', object: 'the cancellation' },
};

const reasons = {
  unreadable: ' The reason: the code could not be read.',
  'new-phone': ' The reason: a new phone.',
  other: '',
};
