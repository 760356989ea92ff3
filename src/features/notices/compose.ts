import type { Language } from '../../domain/enums.ts';
import { escapeHtml } from '../../domain/escape-html.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import type { At, MailTemplate, MailText, MailTexts, MailValues } from './texts.ts';

const texts: Record<Language, MailTexts> = { de: german, en: english };

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif';

/** Returns the mail as HTML without images, styles or scripts from elsewhere, which mail programs would not load. */
function renderHtml({ subject, paragraphs, action, notes }: MailText, language: Language): string {
  const small = 'margin:0 0 8px;font-size:13px;line-height:20px;color:#5b6472';
  const button =
    action &&
    `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5fd6;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="${small}">${escapeHtml(action.url)}</p>`;
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f4f6f9;${font}">`,
    '<div style="max-width:560px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff;color:#1b2330">',
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 12px;font-size:15px;line-height:23px">${escapeHtml(text)}</p>`),
    ...(button === undefined ? [] : [button]),
    ...notes.map((text) => `<p style="${small}">${escapeHtml(text)}</p>`),
    '</div></body></html>',
  ].join('\n');
}

/** Returns the mail as plain text. */
function renderText({ paragraphs, action, notes }: MailText): string {
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  return `${[...paragraphs, ...link, ...notes].join('\n\n')}\n`;
}

/** Returns both forms of a mail. A mail program shows the one that its reader prefers. */
export const renderMail = (text: MailText, language: Language) => ({
  subject: text.subject,
  text: renderText(text),
  html: renderHtml(text, language),
  /** The link of the button. */
  url: text.action?.url ?? null,
});

export function composeMail<T extends MailTemplate>(template: T, language: Language, values: MailValues[T]) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    return ({ at, timeZone }: At) => new Intl.DateTimeFormat(language, { ...options, timeZone }).format(new Date(at));
  };
  const text = texts[language][template](values, {
    time: format({ dateStyle: 'long', timeStyle: 'short' }),
    day: format({ dateStyle: 'long' }),
    month: format({ month: 'long', year: 'numeric' }),
  });
  return renderMail(text, language);
}
