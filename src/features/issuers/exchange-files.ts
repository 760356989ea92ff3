import { openSftp } from '../../platform/sftp/client.ts';
import { SftpError } from '../../platform/sftp/session.ts';
import { deliverFiles } from './deliver.ts';
import { fetchReturned } from './fetch-returned.ts';
import { type Finished, IssuerOutage, type OpenOptions, secretNameOf } from './providers/issuer.ts';
import type { DeliverySecret, SftpDelivery } from './rules/delivery.ts';

const minute = 60_000;
/** A worker that was killed while it sent a file keeps it for some minutes. */
const againMillis = minute;
/** How often the issuer's server is looked at while somebody waits for a ticket. */
const fetchMillis = 15 * minute;

/** Opens a session with the stored settings. The caller closes it. */
export function openDelivery(
  { companyId, row, deps, signal }: Pick<OpenOptions, 'companyId' | 'row' | 'deps' | 'signal'>,
  { host, port, user, hostKey }: SftpDelivery,
) {
  const secret: DeliverySecret =
    row.encryptedDelivery === null
      ? {}
      : JSON.parse(deps.encryption.decrypt(row.encryptedDelivery, secretNameOf(companyId)));
  const { allowsPrivateHosts, settleMillis } = deps;
  const server = { host, port: port ?? undefined, user, hostKey, ...secret };
  return openSftp(server, { allowsPrivateHosts, signal, settleMillis });
}

/** Sends the order lists that are due, then fetches what has come back. */
export async function exchangeFiles(options: OpenOptions): Promise<Finished> {
  const { delivery } = options.row;
  if (delivery === null) return { again: null, sent: 0 };
  const client = delivery.kind === 'sftp' ? openDelivery(options, delivery) : undefined;
  try {
    const { sent, isComplete } = await deliverFiles({ ...options, delivery, client });
    const isWaiting =
      delivery.kind === 'sftp' && client !== undefined && (await fetchReturned(options, delivery, client));
    const again = isWaiting ? fetchMillis : null;
    return { sent, again: isComplete ? again : againMillis };
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof SftpError ? new IssuerOutage(error.explanation) : error;
  } finally {
    await client?.close();
  }
}
