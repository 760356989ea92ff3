import { createHash } from 'node:crypto';
import type { Language } from '../../domain/enums.ts';
import { escapeHtml } from '../../domain/escape-html.ts';

/** A page that needs neither scripts nor files of the portal. */

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
a, button { display: block; margin-top: 20px; padding: 12px; border: 1px solid var(--accent); border-radius: 8px; color: var(--accent); font-weight: 600; text-align: center; text-decoration: none; }
button { width: 100%; background: none; font: inherit; font-weight: 600; cursor: pointer; }
.test { margin: 0 0 16px; padding: 8px 12px; border-radius: 8px; background: #b42318; color: #fff; font-weight: 700; text-align: center; }
.note { margin-top: 20px; color: var(--dim); font-size: 14px; }
`;

/** `formAction`: where forms may be sent, nowhere by default. */
export const plainPageHeaders = (formAction: "'none'" | "'self'" = "'none'") => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  'x-robots-tag': 'noindex',
});

/** `body`: HTML. */
export const renderPlainPage = (language: Language, title: string, body: string) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>
${body}
</main></body></html>
`;
