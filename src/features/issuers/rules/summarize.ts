import type { OrderState } from '../../../domain/enums.ts';
import { createMessage, type Message, type MessageKey } from '../../../domain/messages/message.ts';

const known: Readonly<Record<string, MessageKey>> = {
  mismatch: 'summary-mismatch',
  unknown: 'order-unknown',
  conflict: 'order-conflict',
  'answer-invalid': 'summary-answer-invalid',
  'blocked-by-issuer': 'order-blocked-by-issuer',
  'issuer:returned': 'summary-returned',
};

/** Says what many orders that failed or wait have in common. */
export function describeGroup({ state, code }: { state: OrderState; code: string | null }): Message {
  if (state === 'ordered') return createMessage('summary-ordered');
  if (code === null) return createMessage('summary-required');
  const key = known[code];
  if (key !== undefined) return { key, values: {} };
  const values = { code: code.replace(/^issuer:/, '') };
  return createMessage(state === 'required' ? 'summary-tried-again' : 'summary-refused', values);
}
