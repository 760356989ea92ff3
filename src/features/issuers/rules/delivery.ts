import type { Day } from '../../../domain/calendar.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findPathProblem } from '../../../platform/sftp/file-pattern.ts';
import { parseHostKey } from '../../../platform/sftp/host-key.ts';

/** How order lists get to an issuer, and returned lists from there. */

export interface MailDelivery {
  kind: 'mail';
  format: 'csv' | 'xlsx';
  to: string;
}

export interface SftpDelivery {
  kind: 'sftp';
  format: 'csv' | 'xlsx';
  host: string;
  port: number | null;
  user: string;
  hostKey: string;
  folder: string;
  /** Where returned lists are: a path with the month. Null: they come another way. */
  returned: string | null;
}

export type Delivery = MailDelivery | SftpDelivery;

/** Stored encrypted. */
export interface DeliverySecret {
  password?: string;
  privateKey?: string;
}

/** Returns the path of the returned lists of a month: `%Y` and `%m` stand for it. */
export const pathOfMonth = (path: string, month: Day): string =>
  path.replaceAll('%Y', String(month.year)).replaceAll('%m', String(month.month).padStart(2, '0'));

/** `orders-7-2026-12-1.csv`. Companies may share a folder, so their ids tell the files apart. */
export const nameDeliveredFile = (
  companyId: number,
  { month, number, format }: { month: string; number: number; format: string },
): string => `orders-${companyId}-${month.slice(0, 7)}-${number}.${format}`;

/** Returns the field of the settings that is wrong, and why. Undefined: none. */
export function findDeliveryProblem(
  delivery: Delivery,
  secret: DeliverySecret | undefined,
): { field: string; message: Message } | undefined {
  if (delivery.kind === 'mail') return undefined;
  const { hostKey, folder, returned } = delivery;
  if (parseHostKey(hostKey) === undefined) {
    return { field: 'hostKey', message: createMessage('credentials-host-key') };
  }
  if (secret !== undefined && (secret.password === undefined) === (secret.privateKey === undefined)) {
    return { field: 'password', message: createMessage('credentials-either') };
  }
  const folderProblem = findPathProblem(`${folder}/x`);
  if (folderProblem !== undefined) return { field: 'folder', message: folderProblem };
  if (returned === null) return undefined;
  if (!returned.includes('%Y') || !returned.includes('%m')) {
    return { field: 'returned', message: createMessage('delivery-returned-month') };
  }
  const pathProblem = findPathProblem(returned);
  return pathProblem && { field: 'returned', message: pathProblem };
}
