import { randomBytes } from 'node:crypto';
import type { Provider } from '../../../domain/enums.ts';
import { parseForeignJson } from '../../../platform/http/json-limits.ts';
import type { Connector, Credentials, OnExchange, SentExchange } from '../providers/connector.ts';
import { responseLimits } from '../providers/http-client.ts';
import type { Mapping } from '../rules/mapping.ts';
import type { CaseExchange } from './contract.ts';
import { createPseudonyms, isSecretName, type Pseudonyms, removed } from './pseudonyms.ts';

/** What a pull leaves for a case. */
export interface Recording {
  exchanges: CaseExchange[];
  isComplete: boolean;
  credentials: Record<string, string | number>;
  mapping: Mapping;
  today: string;
}

export interface Recorder {
  onExchange: OnExchange;
  finish(today: string): Recording;
}

/** A case is for a person to look at. What is beyond these limits is left out, and the case says so. */
const maxExchanges = 1_000;
const maxBytes = 8 * 1024 * 1024;

/** Where the requests of a case lead, instead of the real hosts. */
export const caseOrigin = 'https://hr-system.example';
export const caseTokenOrigin = 'https://login.hr-system.example';

/** Headers that decide how a response is read. */
const keptHeaders = ['content-type', 'retry-after', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'link'];
/** Credentials that are no secret, and that a replay needs. */
const openFields = ['baseUrl', 'tokenUrl', 'authentication', 'headerName', 'scope'];

const originOf = (value: string | number | undefined) =>
  URL.canParse(String(value)) ? new URL(String(value)).origin : undefined;

/** Every name and segment that the company has configured: it is no data of a response. */
function listKnown(mapping: Mapping, credentials: Credentials): Set<string> {
  const configured = [mapping.requests?.employees.path, mapping.requests?.absences?.path];
  const known = new Set(JSON.stringify(mapping.fields).match(/[\w-]+/g) ?? []);
  for (const text of [credentials.baseUrl, credentials.tokenUrl, ...configured]) {
    if (text === undefined) continue;
    const { pathname, searchParams } = new URL(String(text), caseOrigin);
    for (const segment of pathname.split('/')) known.add(decodeURIComponent(segment));
    for (const [name, value] of searchParams) if (!isSecretName(name)) known.add(value);
  }
  return known;
}

const literals = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

/** Texts in expressions that occur in the data get the pseudonyms of the data, so that they are still equal. */
function replaceLiterals(expression: string, { hasReplaced, text }: Pseudonyms): string {
  return expression.replaceAll(literals, (match, double?: string, single?: string) => {
    const literal = double ?? single ?? '';
    return hasReplaced(literal) ? `${match[0]}${text(literal)}${match[0]}` : match;
  });
}

/** Secrets may also be in the query that a company has configured. */
function replaceMapping(mapping: Mapping, pseudonyms: Pseudonyms): Mapping {
  const { requests, ...rules } = mapping;
  const values = (list: string[]) => list.map((one) => pseudonyms.text(one));
  const { include, autoSyncEmployee: sync, absences } = rules;
  const expressions = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (name, one) => {
      if (typeof one !== 'string') return one;
      // Braces stand for days, which the connector fills in.
      if (name === 'path') return pseudonyms.path(one).replaceAll('%7B', '{').replaceAll('%7D', '}');
      return requests === undefined ? one : replaceLiterals(one, pseudonyms);
    });
  return {
    ...expressions(rules),
    include: include.map(({ values: listed, ...one }) => ({
      ...expressions(one),
      ...(listed ? { values: values(listed) } : {}),
    })),
    autoSyncEmployee: sync && { ...expressions(sync), yes: values(sync.yes), no: values(sync.no) },
    absences: absences && { types: absences.types === 'all' ? 'all' : values(absences.types) },
    ...(requests ? { requests: expressions(requests) } : {}),
  };
}

function readBody(bytes: Uint8Array, pseudonyms: Pseudonyms): Pick<CaseExchange, 'body' | 'text'> {
  try {
    return { body: pseudonyms.json(parseForeignJson(bytes, responseLimits)) };
  } catch {
    return { text: bytes.length === 0 ? '' : removed };
  }
}

function readRequestBody(body: string, pseudonyms: Pseudonyms): unknown {
  try {
    return pseudonyms.json(JSON.parse(body));
  } catch {
    return removed;
  }
}

/** Records the requests of one connection with pseudonyms: nothing else of them is kept. */
export function createRecorder(
  connector: Pick<Connector, 'credentialFields' | 'origin'> & { provider: Provider },
  { credentials, mapping }: { credentials: Credentials; mapping: Mapping },
): Recorder {
  const secrets = connector.credentialFields
    .filter(({ name }) => !openFields.includes(name))
    .flatMap(({ name }) => (credentials[name] === undefined ? [] : [String(credentials[name])]));
  const known = listKnown(mapping, credentials);
  const origins = new Map<string, string>();
  const tokenOrigin = originOf(credentials.tokenUrl);
  if (tokenOrigin !== undefined) origins.set(tokenOrigin, caseTokenOrigin);
  origins.set(originOf(credentials.baseUrl) ?? connector.origin ?? '', caseOrigin);
  const pseudonyms = createPseudonyms({ key: randomBytes(32), origins, secrets, known });
  const exchanges: CaseExchange[] = [];
  let [bytes, isComplete] = [0, true];

  function record({ method, path, requestBody, response }: SentExchange): void {
    // The paths of the other connectors are constants of the program.
    const segments = (path.split('?')[0] ?? '').split('/');
    if (connector.origin !== null) for (const one of segments) if (!secrets.includes(one)) known.add(one);
    const exchange: CaseExchange = {
      method,
      path: pseudonyms.path(path),
      ...(requestBody === undefined ? {} : { requestBody: readRequestBody(requestBody, pseudonyms) }),
    };
    if (response !== null) {
      exchange.status = response.status;
      exchange.headers = Object.fromEntries(
        keptHeaders.flatMap((name) => {
          const value = [response.headers[name]].flat()[0];
          return value === undefined ? [] : [[name, readHeader(name, value)]];
        }),
      );
      const isTooLarge = bytes + response.bytes.length > maxBytes;
      isComplete &&= !isTooLarge;
      Object.assign(exchange, isTooLarge ? { text: removed } : readBody(response.bytes, pseudonyms));
    }
    bytes += JSON.stringify(exchange).length;
    exchanges.push(exchange);
  }

  function readHeader(name: string, value: string): string {
    if (name === 'link') return replaceLinks(value);
    if (name === 'content-type') return value.split(';')[0]?.slice(0, 100) ?? '';
    // A time would say when the case was recorded, and so by how much its dates were moved.
    const time = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Date.parse(value) / 1000;
    return String(Math.max(0, Math.ceil(time > 1e9 ? time - Date.now() / 1000 : time)) || 0);
  }

  const replaceLinks = (header: string) =>
    header.replaceAll(/<([^>]*)>/g, (_, url: string) => {
      const replaced = URL.canParse(url) ? pseudonyms.text(url) : pseudonyms.path(url);
      return `<${replaced}>`;
    });

  return {
    onExchange(exchange) {
      if (exchanges.length >= maxExchanges || bytes >= maxBytes) isComplete = false;
      else record(exchange);
    },
    finish: (today) => ({
      exchanges,
      isComplete,
      credentials: Object.fromEntries(
        Object.entries(credentials).map(([name, value]) => {
          if (!openFields.includes(name)) return [name, removed];
          const origin = originOf(value);
          return [name, origin === undefined ? value : `${origins.get(origin)}${String(value).slice(origin.length)}`];
        }),
      ),
      mapping: replaceMapping(mapping, pseudonyms),
      today: pseudonyms.date(Temporal.PlainDate.from(today)).toString(),
    }),
  };
}
