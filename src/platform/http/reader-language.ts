import type { Language } from '../../domain/enums.ts';
import { languages } from '../../domain/enums.ts';

/** Returns the language that `Accept-Language` prefers among ours, or undefined if it names none of them. */
export function findReaderLanguage(header: string | undefined): Language | undefined {
  const ranges = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
    return { language: tag.split('-')[0], quality: Number(quality ?? 1) };
  });
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return wanted.map(({ language }) => languages.find((one) => one === language)).find((one) => one !== undefined);
}
