import type { IssuerKind } from '../../../domain/enums.ts';
import { formatMessage, type Message } from '../../../domain/messages/message.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { type Encryption, nameSecretOf } from '../../../platform/crypto/encryption.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { IssuerOrder, Order } from '../contract.ts';
import type { IssuerRow } from '../store.ts';

export interface IssuerDeps {
  encryption: Encryption;
  allowsPrivateHosts: boolean;
  config: Pick<Config, 'smtp' | 'environment' | 'mailAllow' | 'publicUrl'>;
  /** How long a file on a server must not change before it is read. Tests shorten it. */
  settleMillis?: number;
  /** How long a request waits for its response. Tests shorten it. */
  timeoutMillis?: number;
}

export interface OpenOptions {
  db: Db;
  clock: Pick<Clock, 'now'>;
  companyId: CompanyId;
  row: IssuerRow;
  deps: IssuerDeps;
  /** Ends everything that waits. */
  signal: AbortSignal;
}

/** A kind of issuer. Adding one is a file beside this one, its fake, and a line in `index.ts`. */
export interface IssuerProvider {
  kind: Exclude<IssuerKind, 'built-in'>;
  /** Which settings it has: the URL of an interface and its token, or how lists look and get there. */
  settings: 'interface' | 'lists';
  open(options: OpenOptions): IssuerConnection;
}

export const secretNameOf = (companyId: CompanyId) => nameSecretOf('issuer_settings', companyId, companyId);

export interface Finished {
  /** After how many milliseconds to come again. Null: not by itself. */
  again: number | null;
  /** How many order lists were sent. */
  sent: number;
}

/**
 * A transport company, or its distributor, that issues tickets on request. Each is one file beside this one, with a fake
 * in `test/support`. Every method may be repeated: the issuer knows an order by its id.
 */
export interface IssuerConnection {
  /** Whether it has to be asked for tickets. Others tell by themselves. */
  isPolled: boolean;
  /** Places an order, or returns the one that was placed before. */
  order(order: Order): Promise<IssuerOrder>;
  /** Undefined: the issuer does not know the order. */
  fetch(orderId: string): Promise<IssuerOrder | undefined>;
  cancel(orderId: string, reason: string): Promise<IssuerOrder | undefined>;
  /** Blocks the ticket of an order, and places a new one. */
  replace(orderId: string, replacement: { orderId: string; reason: string }): Promise<IssuerOrder>;
  /** Yields all orders of a month, for reconciliation and for those whose tickets come later. */
  list(month: string): AsyncIterable<IssuerOrder[]>;
  /** Hands over what was asked since. */
  finish(): Promise<Finished>;
  close(): Promise<void>;
}

/** The issuer cannot be worked with at present: it fails, limits requests, or refuses the token. Nothing is lost. */
export class IssuerOutage extends Error {
  readonly explanation: Message;
  readonly retryAfterMillis: number | undefined;

  constructor(explanation: Message, retryAfterMillis?: number) {
    super(formatMessage(explanation));
    this.name = 'IssuerOutage';
    this.explanation = explanation;
    this.retryAfterMillis = retryAfterMillis;
  }
}

/** One order cannot be placed, whatever is tried. */
export class OrderRefused extends Error {
  readonly code: 'conflict' | 'answer-invalid' | 'unknown';
  readonly explanation: Message;

  constructor(code: OrderRefused['code'], explanation: Message) {
    super(formatMessage(explanation));
    this.name = 'OrderRefused';
    this.code = code;
    this.explanation = explanation;
  }
}
