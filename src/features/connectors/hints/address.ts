import { createMessage } from '../../../domain/messages/message.ts';
import { createSecret, formatToken, hashSecret } from '../../../platform/crypto/company-token.ts';
import { nameSecretOf } from '../../../platform/crypto/encryption.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import { insertAudit } from '../../activity/record.ts';
import { type Integration, lockIntegration } from '../../companies/companies.ts';
import type { CompanyContext } from '../../context.ts';
import { getConnector } from '../providers/index.ts';
import { getConnectorRow } from '../pull/connected.ts';
import { type ConnectorRow, updateConnector } from '../pull/store.ts';
import { signsHints } from './signature.ts';

export const hintSecretName = ({ companyId, hrIntegrationId }: Integration) =>
  nameSecretOf('hr_connectors', companyId, hrIntegrationId);

type Action = 'integration.hints-on' | 'integration.hints-secret' | 'integration.hints-off';
type Change = Parameters<typeof updateConnector>[2];

interface HintChange {
  action: Action;
  change: Change | ((row: ConnectorRow, target: Integration) => Change | Promise<Change>);
}

function changeHints(
  { companyId, by, write }: CompanyContext,
  hrIntegrationId: number,
  { action, change }: HintChange,
) {
  const target = { companyId, hrIntegrationId };
  return write(async (tx: Tx) => {
    await lockIntegration(tx, target);
    const row = await getConnectorRow(tx, target, { lock: true });
    await updateConnector(tx, target, typeof change === 'function' ? await change(row, target) : change);
    const { actor, at } = by;
    await insertAudit(tx, companyId, { action, target: String(hrIntegrationId), detail: {}, actor, at });
  });
}

/** Creates the address to which the HR system reports changes, in place of one that exists. Returns it this once. */
export async function createHintAddress(context: CompanyContext, { id }: { id: number }): Promise<{ url: string }> {
  const { companyId, config } = context;
  const secret = createSecret();
  const change = { hint_token_hash: hashSecret(secret), hinted_at: null };
  await changeHints(context, id, { action: 'integration.hints-on', change });
  return { url: `${config.publicUrl}/v1/hints/${formatToken({ companyId, secret })}` };
}

/** Stores with what the HR system signs. Without it, hints of an HR system that signs do not count. */
export async function storeHintSecret(
  context: CompanyContext,
  { id, signingSecret }: { id: number; signingSecret: string },
): Promise<void> {
  const encryption = await context.openEncryption();
  await changeHints(context, id, {
    action: 'integration.hints-secret',
    change({ provider }, target) {
      if (!signsHints(provider)) {
        throw new ApiError(
          'not-connectable',
          createMessage('hints-unsigned', { system: getConnector(provider).title }),
        );
      }
      return { encrypted_hint_secret: encryption.encrypt(signingSecret.trim(), hintSecretName(target)) };
    },
  });
}

/** Ends the address: hints to it count no more. */
export const deleteHintAddress = (context: CompanyContext, { id }: { id: number }): Promise<void> =>
  changeHints(context, id, {
    action: 'integration.hints-off',
    change: { hint_token_hash: null, encrypted_hint_secret: null, hinted_at: null },
  });
