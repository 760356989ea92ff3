import { createHmac } from 'node:crypto';

/**
 * Replaces what is personal or secret in the requests and responses of a case. The same text gets the same pseudonym within
 * a case, whatever its case; dates move by one number of days. Only the key leads back, and it is in no case. What is
 * neither a known word of the protocols, a name of a member nor a count is replaced, because nobody knows the form of what
 * any system sends.
 */
export interface Pseudonyms {
  text(text: string): string;
  /** Replaces all values of JSON, and names of members that are no identifiers. */
  json(value: unknown): unknown;
  /** Path and query of an address. Known segments and parameters stay. */
  path(path: string): string;
  /** A filter or a path of SCIM: only its quoted values are data. */
  expression(text: string): string;
  date(date: Temporal.PlainDate): Temporal.PlainDate;
  /** Whether this was replaced as a whole value. */
  hasReplaced(text: string): boolean;
}

export interface PseudonymOptions {
  key: Uint8Array;
  /** Where addresses of the HR system lead in a case. By real origin. */
  origins?: ReadonlyMap<string, string>;
  /** Values that are never part of a case, such as credentials. */
  secrets?: readonly string[];
  /** Names and segments of addresses that are configuration. */
  known?: ReadonlySet<string>;
}

/** Stands for a secret. */
export const removed = 'removed';

/** Words that HR systems and SCIM use for states and types, and no names of people. */
const words = new Set(
  `true false yes no ja nein null active inactive enabled disabled approved pending requested rejected cancelled canceled
  declined deleted open closed internal external employee employees work home other user group add replace remove get post
  put patch delete and or not pr eq ne co sw ew gt ge lt le ascending descending success error bearer`.split(/\s+/),
);

/** Attributes of SCIM, as they occur in filters and paths. */
const scimNames = new Set(
  `username name givenname familyname formatted emails value type primary active externalid id displayname members meta
  employeenumber department title startdate terminationdate autosyncemployee absences enddate approved group display
  resourcetype lastmodified created schemas $ref phonenumbers addresses country locality urn ietf params scim core
  extension enterprise transit api messages patchop listresponse error searchrequest bulkrequest bulkresponse
  operations`.split(/\s+/),
);

/** Parts of a text: schemes, dates, and words. Everything between them stays. */
const parts = new RegExp(
  [
    String.raw`(?<scheme>https?:\/\/)`,
    String.raw`\/Date\((?<millis>-?\d+)(?<zone>[+-]\d{4})?\)\/`,
    String.raw`(?<!\d)(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?!\d)(?<time>[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`(?<!\d)(?<lastDay>\d{1,2})(?<dot>[./])(?<gap>\s?)(?<middle>\d{1,2})\k<dot>\k<gap>(?<lastYear>\d{4})(?!\d)`,
    String.raw`(?<compact>(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d))`,
    String.raw`(?<word>[\p{L}\p{M}\p{N}]+)`,
  ].join('|'),
  'gu',
);

/** Without vowels, so that no pseudonym looks like a name. */
const letters = 'bcdfghjklmnpqrstvwxz';
const wordLength = 11;

const secretName = /token|secret|passw|api[_-]?key|authorization|cookie|credential|private_?key|signature|assertion/i;
/** Tokens that lead to the next page are no secrets. They are replaced like other values. */
const pagingName = /next|page|skip|sync|cursor|continu/i;
const countName = /total|count|page|offset|limit|size|index|elements|status|version|expires|number_of|perpage|start$/i;
const pagingParameter = /^\W*(limit|offset|page|per_?page|page_?size|size|count|start|start_?index|skip|top|first|p)$/i;
const timeName = /date|time|day|birth|hire|start|end|join|leave|since|until|from|_at$|At$|_on$|On$/;
const identifier = /^[A-Za-z_$@#][\w$.:@#-]{0,79}$/;
const scimParameters = new Set(['filter', 'attributes', 'excludedAttributes', 'sortBy']);
/** What an error of SCIM says in short. */
const isCode = (name: string, value: string) =>
  (name === 'status' && /^\d{3}$/.test(value)) ||
  (name === 'scimType' && /^[a-z]+[A-Z][a-z]+$|^uniqueness$/.test(value));
const emailLike = /@.+\./;
const maxRemembered = 200_000;

export const isSecretName = (name: string) => secretName.test(name) && !pagingName.test(name);

export function createPseudonyms(options: PseudonymOptions): Pseudonyms {
  const { key, origins = new Map<string, string>(), known = new Set<string>() } = options;
  const secrets = (options.secrets ?? []).filter((secret) => secret.length >= 4);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const days = -(400 + (digest('days').readUInt32BE() % 3_600));
  const remembered = new Map<string, string>();
  const replaced = new Set<string>();

  function number(digits: string): string {
    return String(100_000_000_000_000 + Number(digest(`number ${digits}`).readBigUInt64BE() % 900_000_000_000_000n));
  }

  function letterWord(folded: string): string {
    const bytes = digest(`word ${folded}`);
    return [...bytes.subarray(0, wordLength)].map((byte) => letters[byte % letters.length]).join('');
  }

  /** Keeps capitals, and the length of long words, on which checks depend. */
  function word(text: string): string {
    if (text === '0' || text === '1') return text;
    const folded = text.normalize('NFC').toLowerCase();
    const pseudonym = remembered.get(folded) ?? (/^\d+$/.test(text) ? number(text) : letterWord(folded));
    if (remembered.size < maxRemembered) remembered.set(folded, pseudonym);
    const long = pseudonym.padEnd(text.length, 'x');
    if (text.length > 1 && text === text.toUpperCase()) return long.toUpperCase();
    return /^\p{Lu}/u.test(text) ? `${long.charAt(0).toUpperCase()}${long.slice(1)}` : long;
  }

  const date = (given: Temporal.PlainDate) => given.add({ days });

  /** A date that does not exist gets another year, and so remains one. */
  function shift(year: string, month: string, day: string): [string, string, string] {
    if (`${year}-${month}-${day}` === '9999-12-31') return [year, month, day];
    try {
      const fields = { year: Number(year), month: Number(month), day: Number(day) };
      const moved = date(Temporal.PlainDate.from(fields, { overflow: 'reject' }));
      const padded = (value: number, like: string) => String(value).padStart(like.length, '0');
      return [padded(moved.year, year), padded(moved.month, month), padded(moved.day, day)];
    } catch {
      return [String(Math.max(0, Number(year) - 11)).padStart(4, '0'), month, day];
    }
  }

  function replacePart(match: string, groups: Record<string, string | undefined>): string {
    const { scheme, millis, zone = '', mark, time = '', dot, gap = '', compact } = groups;
    if (scheme !== undefined) return scheme;
    if (millis !== undefined) return `/Date(${Number(millis) + days * 86_400_000}${zone})/`;
    if (mark !== undefined) {
      return shift(groups.year ?? '', groups.month ?? '', groups.day ?? '').join(mark) + time;
    }
    if (dot !== undefined) {
      const [year, month, day] = shift(groups.lastYear ?? '', groups.middle ?? '', groups.lastDay ?? '');
      return [day, month, year].join(`${dot}${gap}`);
    }
    if (compact !== undefined) return shift(compact.slice(0, 4), compact.slice(4, 6), compact.slice(6)).join('');
    return word(match);
  }

  function text(given: string): string {
    if (given.trim() === '' || words.has(given.trim().toLowerCase())) return given;
    const safe = secrets.reduce((one, secret) => one.replaceAll(secret, removed), given);
    if (safe === removed) return removed;
    if (replaced.size < maxRemembered) replaced.add(given);
    const origin = URL.canParse(safe) ? origins.get(new URL(safe).origin) : undefined;
    if (origin !== undefined) return `${origin}${path(safe.slice(new URL(safe).origin.length))}`;
    return safe.replaceAll(parts, (...found) => replacePart(found[0], found.at(-1)));
  }

  const decode = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };

  const segment = (part: string) => {
    const decoded = decode(part);
    if (secrets.includes(decoded)) return removed;
    if (known.has(decoded) || /^(v\d{1,2}(\.\d)?|\.search|)$/.test(decoded)) return part;
    return encodeURIComponent(text(decoded));
  };

  function parameter(name: string, value: string): string {
    if (isSecretName(name)) return removed;
    if (known.has(value) || (pagingParameter.test(name) && /^\d{1,7}$/.test(value))) return value;
    return scimParameters.has(name) ? expression(value) : text(value);
  }

  function path(given: string): string {
    const [pathname = '', ...rest] = given.split('?');
    const replacedPath = pathname.split('/').map(segment).join('/');
    if (rest.length === 0) return replacedPath;
    const query = [...new URLSearchParams(rest.join('?'))].map(
      ([name, value]) => `${encodeURIComponent(member(name))}=${encodeURIComponent(parameter(name, value))}`,
    );
    return `${replacedPath}?${query.join('&')}`;
  }

  const expression = (given: string) =>
    given.replaceAll(/"((?:[^"\\]|\\.)*)"|[\p{L}\p{M}\p{N}$]+/gu, (match, quoted?: string) => {
      if (quoted !== undefined) return `"${text(quoted)}"`;
      const folded = match.toLowerCase();
      return scimNames.has(folded) || words.has(folded) || /^\d{1,2}$/.test(match) ? match : word(match);
    });

  /** Names of members are the form of a response. Those that look like data, such as ids, are replaced. */
  function member(name: string): string {
    if (known.has(name)) return name;
    if (/["[]/.test(name) || name.startsWith('urn:')) return expression(name);
    const isData = !identifier.test(name) || emailLike.test(name) || /(\d\D*){4}/.test(name) || secrets.includes(name);
    return isData && !/^\w+(\[\])+$/.test(name) ? text(name) : name;
  }

  function jsonNumber(value: number, name: string, isInList: boolean): number {
    if (value === 0 || value === 1) return value;
    const isTime = timeName.test(name) && Number.isInteger(value) && Math.abs(value) > 1e10 && Math.abs(value) < 1e13;
    if (isTime) return value + days * 86_400_000;
    if (!isInList && countName.test(name)) return value;
    return Math.sign(value) * Number(number(String(Math.abs(value))));
  }

  function value(given: unknown, name: string, isInList: boolean): unknown {
    if (typeof given === 'string') {
      if (isSecretName(name) && given !== '') return removed;
      if (name === 'path' || name === 'filter') return given.startsWith('/') ? path(given) : expression(given);
      if (given.startsWith('urn:ietf:params:scim:')) return expression(given);
      if (given.startsWith('bulkId:')) return `bulkId:${text(given.slice('bulkId:'.length))}`;
      if (isCode(name, given)) return given;
      return text(given);
    }
    if (typeof given === 'number') return isSecretName(name) ? 0 : jsonNumber(given, name, isInList);
    if (Array.isArray(given)) return given.map((one) => value(one, name, true));
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([own, one]) => [member(own), value(one, own, isInList)]));
  }

  return {
    text,
    json: (given) => value(given, '', false),
    path,
    expression,
    date,
    hasReplaced: (given) => replaced.has(given),
  };
}
