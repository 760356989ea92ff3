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
