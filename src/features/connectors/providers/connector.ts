import type { Provider } from '../../../domain/enums.ts';
import { createMessage, formatMessage, type Message, type MessageKey } from '../../../domain/messages/message.ts';
import type { ConnectionCheck } from '../pull/contract.ts';
import type { FailureCode } from '../rules/failure.ts';
import type { ProviderRecord } from '../rules/map-record.ts';
import type { Mapping } from '../rules/mapping.ts';

/**
 * An HR system that rosters are pulled from. Each is one file beside this one, listed in `index.ts`, with a fake in
 * `test/support/fake-hr` (CONTRIBUTING.md, "Add an HR system").
 */
export interface Connector {
  readonly provider: Provider;
  readonly title: string;
  /** The fixed origin of its API. Null: the credentials name the host. */
  readonly origin: string | null;
  readonly credentialFields: readonly CredentialField[];
  /** Optional cross-field rule: returns what is wrong with credentials whose fields are all valid. */
  findCredentialProblem?(credentials: Credentials): Message | undefined;
  readonly defaultMapping: Mapping;
  open(credentials: Credentials, options: OpenOptions): Connection;
}

export interface CredentialField {
  readonly name: string;
  readonly isSecret: boolean;
  readonly isOptional?: boolean;
  readonly kind?: 'port';
}

export type Credentials = Readonly<Record<string, string | number>>;

export interface OpenOptions {
  /** Replaces the fixed origin on staging, for example with that of a fake. */
  origin: string | undefined;
  /** Ends every request and every wait. */
  signal: AbortSignal;
  timeZone: string;
  /** Whether a host that the credentials name may have a private address. */
  allowsPrivateHosts: boolean;
  /** The delay before the first repetition of a request. It doubles with each. Tests shorten it. */
  retryDelayMillis?: number;
  /** How long connecting and signing in may take. Tests shorten it. */
  connectMillis?: number;
  /** Learns of every request and its response. */
  onExchange?: OnExchange | undefined;
}

/** A request as it was sent, and what came back. Of a request without a response there is only why. */
export interface SentExchange {
  method: string;
  origin: string;
  path: string;
  requestBody: string | undefined;
  response: {
    status: number;
    headers: Readonly<Record<string, string | string[] | undefined>>;
    bytes: Uint8Array;
  } | null;
}
export type OnExchange = (exchange: SentExchange) => void;

/** Something that keeps the company from being read completely, in the terms of the HR system. */
export interface ConnectionProblem {
  code: 'credentials-refused' | 'permission-missing' | 'attribute-withheld' | 'no-employees' | 'unreachable';
  /** The permission or attribute as the HR system names it. Null: it is about the connection as a whole. */
  what: string | null;
  message: Message;
}

/** What the HR system releases: its attributes, and its types of absences. */
export type Description = Pick<ConnectionCheck, 'fields' | 'absenceTypes' | 'sample'>;

export interface ReadRequest {
  mapping: Mapping;
  /** The attributes that the mapping reads. Ask for no others: they may be salaries. */
  attributes: readonly string[];
  /** Absences that touch this time are read. Days as YYYY-MM-DD. Null: none are. */
  absences: { from: string; to: string } | null;
  /** What the last complete pull left: how many records it read, and what `ReadPage.memory` was. */
  last: { people: number | null; memory: unknown };
}

export interface ReadPage {
  records: ProviderRecord[];
  total?: number;
  /** What the connector needs to know in the next pull. The last page with one wins. No personal data. */
  memory?: unknown;
}

/** One set of credentials in use. Failures are `ConnectorError`s. */
export interface Connection {
  /** Returns everything that is missing, not only the first. */
  check(mapping: Mapping): Promise<ConnectionProblem[]>;
  describe(mapping: Mapping): Promise<Description>;
  /** Yields every record exactly once, or throws: a page that is missing must never look like the end. */
  read(request: ReadRequest): AsyncIterable<ReadPage>;
  close(): Promise<void>;
}

/** Why an HR system could not be read, as the company sees it: without credentials or data about people. */
export class ConnectorError extends Error {
  readonly code: FailureCode;
  readonly explanation: Message;
  readonly retryAfterMillis: number | undefined;

  constructor(code: FailureCode, explanation: Message, retryAfterMillis?: number) {
    super(formatMessage(explanation));
    this.name = 'ConnectorError';
    this.code = code;
    this.explanation = explanation;
    this.retryAfterMillis = retryAfterMillis;
  }
}

type Incomplete = Extract<MessageKey, `incomplete-${string}`>;

export const incompleteFrom =
  (system: string) =>
  (what: Incomplete, values: Record<string, number> = {}) =>
    new ConnectorError('incomplete', createMessage('connector-incomplete', { system, what, ...values }));
