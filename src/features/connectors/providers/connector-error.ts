import { createMessage, formatMessage, type Message, type MessageKey } from '../../../domain/messages/message.ts';
import type { FailureCode } from '../rules/failure.ts';

/**
 * Why an HR system could not be read. The message is shown to the company: it says what happened and what to do, and
 * contains neither credentials nor anything that the HR system said about people.
 */
export class ConnectorError extends Error {
  readonly code: FailureCode;
  /** The message for any language. */
  readonly explanation: Message;
  /** How long the HR system asks to wait. */
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

/** Returns a function that describes why what an HR system sent cannot be complete. */
export const incompleteFrom =
  (system: string) =>
  (what: Incomplete, values: Record<string, number> = {}) =>
    new ConnectorError('incomplete', createMessage('connector-incomplete', { system, what, ...values }));
