import { useState } from 'react';
import type { Offer } from '../../../../src/features/joining/my-contract.ts';
import { ApiProblem, post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { navigate } from '../../router.tsx';
import { icon } from '../../ui/icons.tsx';
import {
  Button,
  Card,
  Confirm,
  Facts,
  Loading,
  Notice,
  Problem,
  Screen,
  useAction,
  useLoaded,
} from '../../ui/parts.tsx';
import { noteAsked } from './asked.ts';

function OfferCard({ offer, token, onDone }: { offer: Offer; token: string; onDone(what: 'sent' | 'declined'): void }) {
  const { t, formats } = useReader();
  const [isDeclining, setDeclining] = useState(false);
  const { ticketPrice, companyAmount, employeeAmount, firstMonth, state } = offer;
  const join = useAction(async () => {
    await post('/access/invitation/link', { token });
    noteAsked();
    onDone('sent');
  });
  return (
    <>
      <Card className="offer">
        <p className="offer-label">{t('invitationPay')}</p>
        <p className="offer-amount">
          {employeeAmount.value === 0 ? t('invitationNothing') : formats.money(employeeAmount)}
        </p>
        <Facts
          facts={[
            [t('invitationEmployer'), formats.money(companyAmount)],
            [t('invitationPrice'), formats.money(ticketPrice)],
            firstMonth !== null && [t('previewFirstTicket'), formats.month(firstMonth)],
          ]}
        />
        <ul className="checks">
          {employeeAmount.value > 0 && (
            <li>
              {icon('check', 20)} {t('invitationDeducted')}
            </li>
          )}
          <li>
            {icon('check', 20)} {t('invitationCancel')}
          </li>
        </ul>
      </Card>
      <Problem error={join.error} />
      <div className="buttons">
        <Button label={t('invitationJoin')} isBusy={join.isBusy} onClick={() => void join.run()} />
        {state === 'open' && <Button look="plain" label={t('invitationDecline')} onClick={() => setDeclining(true)} />}
      </div>
      <p className="aside">{t('invitationHow')}</p>
      {isDeclining && (
        <Confirm
          title={t('declineTitle')}
          text={t('declineText')}
          confirmLabel={t('invitationDecline')}
          onClose={() => setDeclining(false)}
          onConfirm={async () => {
            await post('/access/invitation/decline', { token });
            onDone('declined');
          }}
        />
      )}
    </>
  );
}

function Gone() {
  const { t } = useReader();
  return (
    <Screen title={t('invitationGoneTitle')} hint={t('invitationGoneText')}>
      <Button label={t('signIn')} onClick={() => navigate('/')} />
    </Screen>
  );
}

/** Shows an offer to somebody who was invited. It does not let them in: that takes a link to their address. */
export function InvitationScreen({ token }: { token: string | undefined }) {
  const { t } = useReader();
  const [done, setDone] = useState<'sent' | 'declined'>();
  const {
    data: offer,
    error,
    reload,
  } = useLoaded(
    async () => (token === undefined ? null : post<Offer>('/access/invitation', { token })),
    `invitation ${token}`,
  );
  const isGone = error instanceof ApiProblem && error.status < 429;
  if (isGone || offer === null || offer?.state === 'joined' || offer?.state === 'not-possible') return <Gone />;
  if (done !== undefined) {
    return (
      <Screen title={t(done === 'sent' ? 'invitationSentTitle' : 'declinedTitle')} step="done">
        <Notice left={done === 'sent' ? 'mail' : 'check'} look="good" isStatus>
          <p>{t(done === 'sent' ? 'invitationSentText' : 'declinedText')}</p>
          {done === 'sent' && <p>{t('sentHint')}</p>}
        </Notice>
      </Screen>
    );
  }
  if (offer === undefined || token === undefined) {
    return (
      <Screen title={t('invitationTitle')}>
        <Problem error={error} onRetry={reload} />
        {error === undefined && <Loading rows={4} />}
      </Screen>
    );
  }
  const { companyName, firstName, logo } = offer;
  return (
    <Screen title={t('invitationTitle')} hint={t('invitationText', { company: companyName, name: firstName })}>
      {logo !== null && <img className="logo" src={`data:image/png;base64,${logo}`} alt={companyName} />}
      <OfferCard offer={offer} token={token} onDone={setDone} />
    </Screen>
  );
}
