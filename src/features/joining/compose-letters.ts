import type { Day } from '../../domain/calendar.ts';
import type { Language } from '../../domain/enums.ts';
import { moneyFormat } from '../../domain/money.ts';
import type { Company } from '../companies/companies.ts';
import type { Letter, Letters } from '../documents/pdf/letter.ts';
import { wordingFor } from '../documents/pdf/wording.ts';
import type { LetterCode } from '../employee-access/letters.ts';

const german = {
  title: 'Ihr Jobticket: So treten Sie bei',
  offer: 'wir bieten Ihnen ein Ticket für den öffentlichen Nahverkehr an.',
  free: (month: string) =>
    `Das Ticket kostet Sie nichts, wir bezahlen es. Ihr erstes Ticket können Sie für ${month} haben.`,
  shared: (own: string, company: string, month: string) =>
    `Sie zahlen ${own} im Monat, wir zahlen ${company}. Ihr Anteil wird vom Lohn einbehalten. Ihr erstes Ticket können Sie für ${month} haben.`,
  deferred: (own: string, month: string) =>
    `Das Ticket kostet ${own} im Monat und wird vom Lohn einbehalten. Ihr erstes Ticket können Sie für ${month} haben.`,
  freely: 'Ob Sie beitreten, entscheiden Sie. Später können Sie jederzeit pausieren oder kündigen.',
  heading: 'Scannen Sie den Code mit der Kamera Ihres Telefons',
  address: 'Oder geben Sie diese Adresse im Browser ein',
  hrId: 'Ihre Personalnummer oder HR-ID',
  code: 'Ihr persönlicher Code',
  hint: 'Groß- und Kleinschreibung sind egal.',
  expires: (day: string) =>
    `Der Code gilt einmal, bis zum ${day}, und nur für Sie. Geben Sie den Brief nicht weiter. Ein früherer Brief gilt nicht mehr.`,
  help: 'Haben Sie Fragen? Ihre Personalabteilung hilft Ihnen gern.',
};

const english: typeof german = {
  title: 'Your transit ticket: how to join',
  offer: 'We offer you a ticket for public transit.',
  free: (month) => `The ticket costs you nothing, we pay for it. You can have your first ticket in ${month}.`,
  shared: (own, company, month) =>
    `You pay ${own} per month, we pay ${company}. Your share is deducted from your salary. You can have your first ticket in ${month}.`,
  deferred: (own, month) =>
    `The ticket costs ${own} per month and is deducted from your salary. You can have your first ticket in ${month}.`,
  freely: 'You decide whether to join. Later you can pause or cancel at any time.',
  heading: 'Scan the code with the camera of your phone',
  address: 'Or type this address into a browser',
  hrId: 'Your personnel number or HR ID',
  code: 'Your personal code',
  hint: 'Upper and lower case do not matter.',
  expires: (day) =>
    `The code works once, until ${day}, and only for you. Do not pass on this letter. Earlier letters do not work any more.`,
  help: 'Do you have questions? Your HR department is happy to help.',
};

const texts: Record<Language, typeof german> = { de: german, en: english };

/** A letter's code works for so many days. */
const validDays = 60;

export interface Recipient extends LetterCode {
  firstName: string;
  lastName: string;
  email: string;
  language: Language;
  /** The first month with a ticket after joining today. */
  firstMonth: Day;
  /** What a ticket costs per month by the policy that applies to the employee. */
  companyCents: number;
  employeeCents: number;
}

interface LettersOptions {
  company: Company;
  publicUrl: string;
  today: Day;
  logo: Uint8Array | null;
}

/** Returns an invitation on paper per employee, each in their language. */
export function composeLetters(
  recipients: readonly Recipient[],
  { company, publicUrl, today, logo }: LettersOptions,
): Letters {
  const madeOn = today.toString();
  const address = `${publicUrl}/my/letter/${company.id}`;
  const localeOf = (language: Language) =>
    wordingFor(company.locale).texts.language === language ? company.locale : language;
  const letters = recipients.map(
    ({ hrId, code, firstName, lastName, email, language, firstMonth, ...amounts }): Letter => {
      const { companyCents, employeeCents } = amounts;
      const wording = wordingFor(localeOf(language));
      const { labels, regards, salutation, footer } = wording.texts;
      const text = texts[wording.texts.language];
      const money = moneyFormat(localeOf(language), company.currency);
      const month = wording.month(firstMonth.toString());
      const name = `${firstName} ${lastName}`;
      const costs =
        employeeCents === 0
          ? text.free(month)
          : companyCents === 0
            ? text.deferred(money(employeeCents), month)
            : text.shared(money(employeeCents), money(companyCents), month);
      return {
        sender: company.name,
        senderAddress: company.address,
        recipient: { name, email },
        reference: [[labels.date, wording.day(madeOn)]],
        title: text.title,
        salutation: salutation(name),
        paragraphs: [`${text.offer} ${costs}`, text.freely],
        entry: {
          url: `${address}#${encodeURIComponent(hrId)}.${code}`,
          heading: text.heading,
          typed: [
            [text.address, address.replace(/^https?:\/\//, '')],
            [text.hrId, hrId],
            [text.code, code],
          ],
          hint: text.hint,
        },
        closing: [text.expires(wording.day(today.add({ days: validDays }).toString())), text.help],
        regards,
        footer: { issuer: footer.issuer(company.name), note: footer.note },
      };
    },
  );
  const { language } = wordingFor(company.locale).texts;
  return { kind: 'letters', language, title: texts[language].title, madeOn, logo, letters };
}
