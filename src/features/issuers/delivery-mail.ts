import { renderMail } from '../notices/compose.ts';

interface DeliveredList {
  company: string;
  /** Its first day. */
  month: string;
  number: number;
  name: string;
}

/** Returns the mail that brings an order list to an issuer: in German, with the same in English below. */
export function composeDelivery({ company, month, number, name }: DeliveredList) {
  const day = new Date(`${month}T12:00:00Z`);
  const inWords = (language: string) =>
    new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(day);
  const { url: _, ...mail } = renderMail(
    {
      subject: `Bestellliste ${inWords('de')}, Nr. ${number}: ${company}`,
      paragraphs: [
        `Guten Tag, im Anhang finden Sie die Bestellliste Nr. ${number} für ${inWords('de')} (${name}).`,
        'Trifft dieselbe Nummer noch einmal ein, ist es dieselbe Liste: Bitte bearbeiten Sie sie nur einmal.',
        `The attached file is order list no. ${number} for ${inWords('en')}. If the same number arrives again, it is the same list: please process it once.`,
      ],
      notes: ['Die Liste enthält personenbezogene Daten. / The list contains personal data.'],
    },
    'de',
  );
  return mail;
}
