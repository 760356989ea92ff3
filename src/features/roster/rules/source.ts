import { createMessage, formatMessage } from '../../../domain/messages/message.ts';

/** Why a field of the roster has its value: an attribute of the HR system and its value there. */
export interface Source {
  field: 'terminationDate' | 'autoSyncEmployee' | 'absences' | 'included';
  attribute: string;
  value: string;
}

export function describeSource({ field, attribute, value }: Source) {
  const rule = `mapping-${field === 'included' ? 'include' : field}` as const;
  const isNameless = field === 'absences' && value === '';
  const message = isNameless ? createMessage('mapping-absences-nameless') : createMessage(rule, { attribute, value });
  return { rule, detail: formatMessage(message), message };
}
