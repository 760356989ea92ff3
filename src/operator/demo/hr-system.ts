import { demoCredential } from '../../features/connectors/fake/demo-personio.ts';
import { type FakePerson, startFakePersonio } from '../../features/connectors/fake/fake-personio.ts';
import type { PullDeps } from '../../features/connectors/pull/context.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';

/** The secret of the year. The fake that the demo's credentials connect to later refuses it. */
export const formerSecret = 'replaced';

/** What goes wrong with a pull: the HR system has another secret, or is down. */
export type PullFault = 'refused' | 'down';

/** The HR system that the company's rosters are pulled from: a fake, which is asked as a real one would be. */
export interface DemoHrSystem {
  deps: Pick<PullDeps, 'encryption' | 'origins'>;
  answerWith(people: FakePerson[], fault: PullFault | undefined): void;
  close(): Promise<void>;
}

export async function startDemoHrSystem(encryption: Encryption): Promise<DemoHrSystem> {
  let isDown = false;
  const { account, origin, close } = await startFakePersonio({ clientId: demoCredential }, () =>
    isDown ? { status: 503 } : undefined,
  );
  return {
    deps: { encryption, origins: { personio: origin } },
    answerWith(people, fault) {
      account.people = people;
      account.clientSecret = fault === 'refused' ? demoCredential : formerSecret;
      isDown = fault === 'down';
    },
    close,
  };
}
