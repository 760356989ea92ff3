import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';

/** Reasons of corrections that have a sentence in every language. An operator can write any other text instead. */
export const correctionReasons = ['refunded', 'charged-twice', 'left', 'absent', 'wrong-plan'] as const;

export type CorrectionReason = (typeof correctionReasons)[number];

/** Replaces the reason of a correction whose employee was erased, because it may name them. */
export const erasedReason = formatMessage(createMessage('correction-erased'));

const messages = new Map(
  ([...correctionReasons, 'erased'] as const).map((code) => {
    const message = createMessage(`correction-${code}`);
    return [formatMessage(message), message] as const;
  }),
);

/** Returns the sentence of a code, or any other text as it is. */
export function readCorrectionReason(text: string): string {
  const code = correctionReasons.find((one) => one === text.trim());
  return code === undefined ? text : formatMessage(createMessage(`correction-${code}`));
}

/** Returns the message of a reason, or null if an operator wrote the text. */
export const findCorrectionMessage = (reason: string | null): Message | null =>
  reason === null ? null : (messages.get(reason) ?? null);

/** Returns the code of a reason, or null if an operator wrote the text or it was erased. */
export const findCorrectionReason = (reason: string | null): CorrectionReason | null =>
  correctionReasons.find((code) => findCorrectionMessage(reason)?.key === `correction-${code}`) ?? null;
