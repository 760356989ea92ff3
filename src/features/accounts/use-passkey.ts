import type { Static } from 'typebox';
import { countChange, writeShared } from '../../platform/db/write.ts';
import type { AppContext } from '../context.ts';
import type { Assertion } from './contract.ts';
import type { Account } from './credentials.ts';
import { type ChallengePurpose, takeChallenge } from './passkey-challenges.ts';
import { lockPasskey, markUsed } from './passkeys.ts';
import { challengeOf, verifyAssertion } from './webauthn.ts';

/**
 * Returns whose passkey has signed a challenge of this purpose. Undefined: the response is not valid. Either way the
 * challenge is used up, so that nobody sends the same response again.
 */
export async function usePasskey(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  purpose: ChallengePurpose,
  passkey: Static<typeof Assertion>,
): Promise<Account | undefined> {
  const challenge = challengeOf(passkey.clientDataJson);
  if (challenge === undefined || !(await takeChallenge(db, purpose, challenge))) return undefined;
  return writeShared(db, async (tx) => {
    const stored = await lockPasskey(tx, passkey.id);
    if (stored === undefined) return undefined;
    const { userId, companyId, credentialId, userHandle } = stored;
    if (passkey.userHandle !== null && passkey.userHandle !== userHandle) return undefined;
    const used = await verifyAssertion(config, challenge, passkey, stored);
    if (used === undefined) return undefined;
    await markUsed(tx, credentialId, used);
    await countChange(tx, companyId);
    return { userId, companyId };
  });
}
