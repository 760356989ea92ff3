import { createHash } from 'node:crypto';
import { encode } from 'uqr';
import type { Language } from '../../domain/enums.ts';
import { escapeHtml } from '../../domain/escape-html.ts';
import type { Pass } from './present.ts';

/** The page of a wallet link whose wallet this service has no credentials for, or that leads to no valid ticket. */

export type WalletKind = 'apple' | 'google';

const names: Record<WalletKind, string> = { apple: 'Apple Wallet', google: 'Google Wallet' };

const texts = {
  de: {
    code: 'QR-Code des Tickets',
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
    code: 'QR code of the ticket',
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

/** The code is always dark on white: many scanners read nothing else. */
const style = `
:root { color-scheme: light dark; --page: #eef2f4; --card: #fff; --text: #16222a; --dim: #54636e; --accent: #0b7285; }
@media (prefers-color-scheme: dark) { :root { --page: #10171b; --card: #1a242a; --text: #e8eef1; --dim: #a3b1ba; --accent: #66c6d6; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 440px; margin: 0 auto; padding: 24px; border-radius: 16px; background: var(--card); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 24px; line-height: 1.25; }
h2 { margin: 24px 0 8px; font-size: 17px; }
p { margin: 4px 0 0; }
.month, dt { color: var(--dim); }
.code { display: block; width: 100%; max-width: 320px; height: auto; margin: 20px auto; border-radius: 8px; background: #fff; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; margin: 0; }
dd { margin: 0; font-weight: 600; hyphens: auto; }
ul { margin: 8px 0 0; padding-left: 20px; }
li { margin: 4px 0; }
a { display: block; margin-top: 20px; padding: 12px; border: 1px solid var(--accent); border-radius: 8px; color: var(--accent); font-weight: 600; text-align: center; text-decoration: none; }
.note { margin-top: 20px; color: var(--dim); font-size: 14px; }
`;

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'content-disposition': 'inline',
  'x-robots-tag': 'noindex',
  vary: 'accept, accept-language',
};

function renderCode(code: string, label: string): string {
  const { data, size } = encode(code, { border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return `<svg class="code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${squares.join('')}" fill="#000"/></svg>`;
}

const renderPage = (language: Language, title: string, body: string) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>
${body}
</main></body></html>
`;

const renderList = (items: readonly string[]) => `<ul>${items.map((text) => `<li>${text}</li>`).join('')}</ul>`;

interface TicketPage {
  pass: Pass;
  /** The wallet whose link was opened. */
  wallet: WalletKind;
  /** The other wallet, if this service has credentials for it, and the link of the ticket for it. */
  other: { wallet: WalletKind; url: string } | undefined;
}

/** Renders the ticket itself, in the language of the pass. */
export function renderTicketPage({ pass, wallet, other }: TicketPage): string {
  const { language, product, monthName, holder, validity, employer, ticket } = pass;
  const t = texts[language];
  const facts = [holder, validity, employer, ticket].map(
    ({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  const save = other && `<a href="${escapeHtml(other.url)}">${t.save(names[other.wallet])}</a>`;
  return renderPage(
    language,
    `${product}, ${monthName}`,
    `<h1>${escapeHtml(product)}</h1><p class="month">${escapeHtml(monthName)}</p>
${renderCode(pass.code, t.code)}
<dl>${facts.join('')}</dl>${save ?? ''}
<h2>${t.how}</h2>${renderList([t.show, t.keep, t.next])}
<p class="note">${t.noWallet(names[wallet])}</p>`,
  );
}

export function renderMissingPage(language: Language): string {
  const t = texts[language];
  return renderPage(language, t.missing, `<h1>${t.missing}</h1><p>${t.why}</p>\n${renderList(t.remedies)}`);
}
