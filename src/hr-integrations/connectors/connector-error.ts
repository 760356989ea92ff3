import type { FailureCode } from '../../domain/connectors/failure.ts';

/**
 * Why an HR system could not be read. The message is shown to the company: it says what happened and what to do, and
 * contains neither credentials nor anything that the HR system said about people.
 */
export class ConnectorError extends Error {
  readonly code: FailureCode;
  /** How long the HR system asks to wait. */
  readonly retryAfterMillis: number | undefined;

  constructor(code: FailureCode, message: string, retryAfterMillis?: number) {
    super(message);
    this.name = 'ConnectorError';
    this.code = code;
    this.retryAfterMillis = retryAfterMillis;
  }
}

/** Returns a function that describes why what an HR system sent cannot be complete. */
export const incompleteFrom = (title: string) => (what: string) =>
  new ConnectorError('incomplete', `${title} ${what}. Nothing was changed. It will be tried again.`);
