import { en, ruleKeys } from './en.ts';
import { type Message, type MessageKey, monthNames } from './message.ts';

/** Recovers the message of a sentence that was stored before messages were stored with it. */

const date = `\\d{1,2} (?:${monthNames.join('|')}) \\d{4}`;
const patterns: Record<string, string> = { date, lastDay: date, ordinal: '\\d{1,2}(?:st|nd|rd|th)', status: '[a-z-]+' };

interface Template {
  key: MessageKey;
  expression: RegExp;
  kinds: { name: string; kind: string }[];
}

function compile(key: MessageKey): Template {
  const kinds: Template['kinds'] = [];
  const pieces = en[key].split(/\{(\w+(?::\w+)?)\}/);
  const source = pieces.map((piece, index) => {
    if (index % 2 === 0) return RegExp.escape(piece);
    const [name = '', kind = ''] = piece.split(':');
    kinds.push({ name, kind });
    return `(${patterns[kind] ?? '.+?'})`;
  });
  return { key, expression: new RegExp(`^${source.join('')}$`, 's'), kinds };
}

/** Converts `1 December 2026` to `2026-12-01`. */
function readDate(text: string): string {
  const [day = '', month = '', year = ''] = text.split(' ');
  return `${year}-${String(monthNames.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

let templates: Template[] | undefined;

/** Returns undefined if no rule has such a sentence. */
export function parseRuleSentence(sentence: string): Message | undefined {
  templates ??= ruleKeys.map(compile);
  for (const { key, expression, kinds } of templates) {
    const found = expression.exec(sentence);
    const values = found && readValues(found.slice(1), kinds);
    if (values) return { key, values };
  }
  return undefined;
}

function readValues(texts: string[], kinds: Template['kinds']): Message['values'] | undefined {
  const values: Message['values'] = {};
  for (const [index, { name, kind }] of kinds.entries()) {
    const text = texts[index] ?? '';
    if (kind === 'text') {
      const inner = parseRuleSentence(text);
      if (inner === undefined) return undefined;
      Object.assign(values, inner.values, { [name]: inner.key });
    } else if (kind === 'date') values[name] = readDate(text);
    else if (kind === 'lastDay') values[name] = Temporal.PlainDate.from(readDate(text)).add({ days: 1 }).toString();
    else values[name] = kind === 'ordinal' ? Number.parseInt(text, 10) : text;
  }
  return values;
}
