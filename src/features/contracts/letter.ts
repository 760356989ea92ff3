import type { Day } from '../../domain/calendar.ts';
import type { Company } from '../companies/companies.ts';
import type { Letter, Letters } from '../documents/pdf/letter.ts';
import { wordingFor } from '../documents/pdf/wording.ts';
import type { SigningLink } from './links.ts';

const german = {
  title: 'Ihr Jobticket: Bitte lesen und entscheiden Sie',
  paragraphs: [
    'wir bieten Ihnen ein Jobticket an. Dafür brauchen wir Ihre Zustimmung zu einer kurzen Vereinbarung. Darin steht, was das Ticket kostet und welchen Anteil Sie tragen.',
    'Sie lesen die Vereinbarung am Telefon oder am Computer und entscheiden dort. Ein Konto brauchen Sie nicht.',
  ],
  heading: 'Scannen Sie den Code mit der Kamera Ihres Telefons',
  typed: 'Oder geben Sie diese Adresse im Browser ein',
  hint: 'Sie können alles kleinschreiben.',
  expires: (day: string) => `Code und Adresse gelten bis zum ${day} und nur für Sie. Geben Sie den Brief nicht weiter.`,
  help: 'Haben Sie Fragen? Ihre Personalabteilung hilft Ihnen gern.',
};

const english: typeof german = {
  title: 'Your transit ticket: please read and decide',
  paragraphs: [
    'We offer you a transit ticket. For this we need your consent to a short agreement. It says what the ticket costs and what your share is.',
    'You read the agreement on a phone or a computer, and decide there. You need no account.',
  ],
  heading: 'Scan the code with the camera of your phone',
  typed: 'Or type this address into a browser',
  hint: 'You can type everything in small letters.',
  expires: (day: string) => `Code and address work until ${day} and only for you. Do not pass on this letter.`,
  help: 'Do you have questions? Your HR department is happy to help.',
};

interface LettersOptions {
  company: Pick<Company, 'name' | 'address' | 'locale' | 'timeZone'>;
  publicUrl: string;
  today: Day;
  logo: Uint8Array | null;
}

/** Returns a letter per link, for employees who read no mail at work. */
export function composeLetters(
  links: readonly SigningLink[],
  { company, publicUrl, today, logo }: LettersOptions,
): Letters {
  const wording = wordingFor(company.locale);
  const { language, labels, regards, salutation, footer } = wording.texts;
  const texts = language === 'de' ? german : english;
  const madeOn = today.toString();
  const dayOf = (instant: string) =>
    wording.day(Temporal.Instant.from(instant).toZonedDateTimeISO(company.timeZone).toPlainDate().toString());
  const letters = links.map(({ firstName, lastName, email, token, expiresAt }): Letter => {
    const name = `${firstName} ${lastName}`;
    const url = `${publicUrl}/sign/${token}`;
    return {
      sender: company.name,
      senderAddress: company.address,
      recipient: { name, email },
      reference: [[labels.date, wording.day(madeOn)]],
      title: texts.title,
      salutation: salutation(name),
      paragraphs: texts.paragraphs,
      entry: {
        url,
        heading: texts.heading,
        typed: [[texts.typed, url.replace(/^https?:\/\//, '')]],
        hint: texts.hint,
      },
      closing: [texts.expires(dayOf(expiresAt)), texts.help],
      regards,
      footer: { issuer: footer.issuer(company.name), note: footer.note },
    };
  });
  return { kind: 'letters', language, title: texts.title, madeOn, logo, letters };
}
