import { encode } from 'uqr';
import type { Language } from '../../domain/enums.ts';
import { escapeHtml } from '../../domain/escape-html.ts';
import { testMark } from '../../domain/test-mark.ts';
import { plainPageHeaders, renderPlainPage } from '../../platform/http/plain-page.ts';
import { drawAztec } from './aztec.ts';
import type { Pass } from './present.ts';

/** The page of a wallet link whose wallet this service has no credentials for, or that leads to no valid ticket. */

export type WalletKind = 'apple' | 'google';

const names: Record<WalletKind, string> = { apple: 'Apple Wallet', google: 'Google Wallet' };

const texts = {
  de: {
    code: 'Code des Tickets',
    how: 'So nutzen Sie Ihr Ticket',
    show: 'Zeigen Sie bei der Kontrolle diesen Code und einen Ausweis mit Foto.',
    keep: 'Machen Sie ein Bildschirmfoto. Dann haben Sie den Code auch ohne Internet.',
    next: 'Das Ticket gilt nur im genannten Zeitraum. Für den nächsten Monat gibt es einen neuen Link.',
    noWallet: (wallet: string) =>
      `${wallet} ist hier nicht eingerichtet, deshalb sehen Sie Ihr Ticket auf dieser Seite.`,
    save: (wallet: string) => `In ${wallet} speichern`,
    missing: 'Hier gibt es kein gültiges Ticket',
    why: 'Das Ticket ist abgelaufen, oder der Link ist unvollständig.',
    remedies: [
      'Öffnen Sie den ganzen Link, den Sie erhalten haben.',
      'Für jeden Monat gibt es einen neuen Link. Nehmen Sie den neuesten.',
      'Haben Sie keinen anderen, fragen Sie Ihre Personalabteilung.',
    ],
  },
  en: {
    code: 'Code of the ticket',
    how: 'How to use your ticket',
    show: 'At an inspection, show this code and an identity card with a photo.',
    keep: 'Take a screenshot, so that you have the code without the Internet too.',
    next: 'The ticket is valid only in the period above. There is a new link for the next month.',
    noWallet: (wallet: string) => `${wallet} is not set up here, so your ticket is on this page.`,
    save: (wallet: string) => `Save to ${wallet}`,
    missing: 'There is no valid ticket here',
    why: 'The ticket has expired, or the link is incomplete.',
    remedies: [
      'Open the whole link that you received.',
      'There is a new link every month. Use the latest one.',
      'If you have no other link, ask your HR department.',
    ],
  },
} as const satisfies Record<Language, unknown>;

export const pageHeaders = {
  ...plainPageHeaders(),
  'content-disposition': 'inline',
  vary: 'accept, accept-language',
};

async function renderCode({ code, format }: Pick<Pass, 'code' | 'format'>, label: string): Promise<string> {
  if (format === 'none') return '';
  const data = format === 'qr' ? encode(code, { border: 4 }).data : await drawAztec(code);
  const size = data.length;
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return `<svg class="code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${squares.join('')}" fill="#000"/></svg>`;
}

const renderList = (items: readonly string[]) => `<ul>${items.map((text) => `<li>${text}</li>`).join('')}</ul>`;

interface TicketPage {
  pass: Pass;
  /** The wallet whose link was opened. */
  wallet: WalletKind;
  /** The other wallet, if this service has credentials for it, and the link of the ticket for it. */
  other: { wallet: WalletKind; url: string } | undefined;
}

/** Renders the ticket itself, in the language of the pass. */
export async function renderTicketPage({ pass, wallet, other }: TicketPage): Promise<string> {
  const { language, product, monthName, holder, validity, employer, ticket } = pass;
  const t = texts[language];
  const facts = [holder, validity, employer, ticket].map(
    ({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  const save = other && `<a href="${escapeHtml(other.url)}">${t.save(names[other.wallet])}</a>`;
  return renderPlainPage(
    language,
    `${product}, ${monthName}`,
    `${pass.isTest ? `<p class="test">${testMark}</p>` : ''}<h1>${escapeHtml(product)}</h1><p class="month">${escapeHtml(monthName)}</p>
${await renderCode(pass, t.code)}
<dl>${facts.join('')}</dl>${save ?? ''}
<h2>${t.how}</h2>${renderList([t.show, t.keep, t.next])}
<p class="note">${t.noWallet(names[wallet])}</p>`,
  );
}

export function renderMissingPage(language: Language): string {
  const t = texts[language];
  return renderPlainPage(language, t.missing, `<h1>${t.missing}</h1><p>${t.why}</p>\n${renderList(t.remedies)}`);
}
