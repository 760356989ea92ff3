import { createMessage, formatMessage, type Message } from '../../../../domain/messages/message.ts';

export type RosterFileProblem =
  | ('empty' | 'pdf' | 'not-text' | 'mixed-encoding' | 'unclosed-quote')
  | ('invalid-workbook' | 'workbook-too-large');

/** Why a file cannot be read as a table. With a row, the message continues "row 3". */
export class RosterFileError extends Error {
  readonly code: RosterFileProblem;
  readonly row: number | undefined;
  readonly explanation: Message;

  constructor(code: RosterFileProblem, row?: number) {
    const explanation = createMessage(`table-${code}`);
    super(formatMessage(explanation));
    this.name = 'RosterFileError';
    this.code = code;
    this.row = row;
    this.explanation = explanation;
  }
}
