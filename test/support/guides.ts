import { readFileSync } from 'node:fs';

/**
 * Returns the code blocks of a guide in one language, as one program. Blocks marked `skip` need values of the reader.
 * `section` limits it to one heading.
 */
export function readProgram(guide: string, language: string, section?: string): string {
  const whole = readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8');
  const text =
    section === undefined ? whole : (whole.split(/^## /m).find((one) => one.startsWith(`${section}\n`)) ?? '');
  const blocks = [...text.matchAll(/^```(\w+)( skip)?\n(.*?)^```$/gms)];
  return blocks
    .filter(([, name, skip]) => name === language && skip === undefined)
    .map(([, , , code]) => code)
    .join('\n');
}
