import { type RefObject, useId, useRef, useState } from 'react';
import type { AgreementDecisionBody, MyAgreement } from '../../../../src/features/contracts/my-contract.ts';
import { ApiProblem, get, pathTo, post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { refresh, useAppState } from '../../state.ts';
import { icon } from '../../ui/icons.tsx';
import { Button, Card, Confirm, Loading, Notice, Problem, Screen, useAction, useLoaded } from '../../ui/parts.tsx';

/** Whether the agreement that was shown is no longer the one that is offered. */
export const isOtherAgreement = (error: unknown) =>
  error instanceof ApiProblem && error.code === 'confirmation-mismatch';

function ReadAgreement() {
  const { t } = useReader();
  return (
    <a className="button plain" href={pathTo('/agreement/file')} target="_blank" rel="noreferrer">
      {icon('file', 20)}
      {t('agreementRead')}
    </a>
  );
}

interface ConsentProps {
  hasConsent: boolean;
  onChange(hasConsent: boolean): void;
  isMissing: boolean;
  /** Whether another one was shown a moment ago. */
  isOther: boolean;
  ref: RefObject<HTMLInputElement | null>;
}

/** Lets somebody read the agreement and agree to it. */
export function AgreementConsent({ hasConsent, onChange, isMissing, isOther, ref }: ConsentProps) {
  const { t } = useReader();
  const id = useId();
  return (
    <div className="consent">
      {isOther && (
        <Notice left="file" title={t('agreementOtherTitle')} isStatus>
          <p>{t('agreementOtherText')}</p>
        </Notice>
      )}
      <p>{t('agreementText')}</p>
      <ReadAgreement />
      <label className="check">
        <input
          ref={ref}
          type="checkbox"
          checked={hasConsent}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{t('agreementConsent')}</span>
      </label>
      {isMissing && (
        <p className="field-error" id={id} role="alert">
          {icon('alert', 18)}
          {t('agreementConsentMissing')}
        </p>
      )}
    </div>
  );
}

function Decide({ agreement, onDecided }: { agreement: MyAgreement; onDecided(): void }) {
  const { t, formats } = useReader();
  const isFirst = useAppState().home?.subscription.status === 'scheduled';
  const [hasConsent, setConsent] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isOther, setOther] = useState(false);
  const [isRejecting, setRejecting] = useState(false);
  const consent = useRef<HTMLInputElement>(null);
  const decide = async (decision: AgreementDecisionBody['decision']) => {
    try {
      await post('/agreement', { decision, sha256: agreement.sha256 } satisfies AgreementDecisionBody);
      await refresh();
    } catch (error) {
      if (!isOtherAgreement(error)) throw error;
      setOther(true);
      setConsent(false);
      setTried(false);
      setRejecting(false);
    }
    onDecided();
  };
  const accept = useAction(() => decide('contract-accepted'));
  return (
    <Card>
      {agreement.monthlyAmount && (
        <p className="sentence">{t('agreementPays', { amount: formats.money(agreement.monthlyAmount) })}</p>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (hasConsent) void accept.run();
          else consent.current?.focus();
        }}
      >
        <AgreementConsent
          ref={consent}
          hasConsent={hasConsent}
          onChange={setConsent}
          isMissing={isTried && !hasConsent}
          isOther={isOther}
        />
        <Problem error={accept.error} />
        <div className="buttons">
          <Button type="submit" label={t('agreementAccept')} isBusy={accept.isBusy} />
          <Button look="plain" label={t('agreementReject')} onClick={() => setRejecting(true)} />
        </div>
      </form>
      {isRejecting && (
        <Confirm
          title={t('agreementRejectTitle')}
          text={t(isFirst ? 'agreementRejectText' : 'agreementRejectChangeText')}
          confirmLabel={t('agreementReject')}
          isDangerous
          onClose={() => setRejecting(false)}
          onConfirm={() => decide('contract-rejected')}
        />
      )}
    </Card>
  );
}

/** Shows one's own agreement, and lets somebody decide about it. */
export function AgreementScreen() {
  const { t, formats } = useReader();
  const { data: agreement, error, reload } = useLoaded(() => get<MyAgreement>('/agreement'), 'agreement');
  const title = t('agreementTitle');
  if (agreement === undefined) {
    const isNone = error instanceof ApiProblem && error.status === 404;
    return (
      <Screen title={title} back="/subscription">
        {isNone && <p>{t('agreementNone')}</p>}
        {!isNone && <Problem error={error} onRetry={reload} />}
        {error === undefined && <Loading />}
      </Screen>
    );
  }
  const { purpose, status, decision } = agreement;
  if (purpose === 'decide') {
    return (
      <Screen title={title} back="/subscription">
        <Decide agreement={agreement} onDecided={reload} />
      </Screen>
    );
  }
  if (purpose === 'subscribe') {
    return (
      <Screen title={title} hint={t('agreementText')} back="/subscription">
        <Card>
          <ReadAgreement />
          <Link to="/subscription/subscribe" className="button primary">
            {t('joinAction')}
          </Link>
        </Card>
      </Screen>
    );
  }
  // Whoever rejects a higher share still has the old agreement, which they have accepted.
  const isRejected = status === 'rejected' || decision?.decision === 'contract-rejected';
  return (
    <Screen title={title} back="/subscription">
      <Card>
        <Notice
          look={isRejected ? 'info' : 'good'}
          left={isRejected ? 'close' : 'check'}
          title={t(isRejected ? 'agreementRejectedTitle' : 'agreementAcceptedTitle')}
          isStatus
        >
          {decision && <p>{t('agreementDecidedAt', { date: formats.time(decision.decidedAt) })}</p>}
        </Notice>
        <ReadAgreement />
      </Card>
    </Screen>
  );
}
