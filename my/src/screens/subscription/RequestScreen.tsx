import { useRef, useState } from 'react';
import type { MyAgreement } from '../../../../src/features/contracts/my-contract.ts';
import type {
  PreviewRequestBody,
  RequestBody,
  RequestOutcomeView,
  RequestPreview,
} from '../../../../src/features/subscriptions/my-contract.ts';
import type { Home } from '../../../../src/my/contract.ts';
import { get, post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { refresh } from '../../state.ts';
import { icon } from '../../ui/icons.tsx';
import {
  Button,
  Card,
  Choice,
  type Fact,
  Facts,
  Field,
  Loading,
  Notice,
  Problem,
  Screen,
  useAction,
  useLoaded,
} from '../../ui/parts.tsx';
import { AgreementConsent, isOtherAgreement } from './AgreementScreen.tsx';
import { addMonths, monthsFrom } from './months.ts';

export type Action = PreviewRequestBody['action'];

const texts = {
  subscribe: {
    title: 'subscribeTitle',
    text: 'subscribeText',
    from: 'subscribeFrom',
    confirm: 'confirmSubscribe',
    done: 'doneSubscribe',
  },
  pause: { title: 'pauseTitle', text: 'pauseText', from: 'pauseFrom', confirm: 'confirmPause', done: 'donePause' },
  resume: {
    title: 'resumeTitle',
    text: 'resumeText',
    from: 'resumeFrom',
    confirm: 'confirmResume',
    done: 'doneResume',
  },
  cancel: {
    title: 'cancelTitle',
    text: 'cancelText',
    from: 'cancelFrom',
    confirm: 'confirmCancel',
    done: 'doneCancel',
  },
} as const;

const choosableMonths = 12;

type Outcome = Omit<RequestOutcomeView, 'requestId'>;

/** Says on which dates a request changes what. */
function OutcomeFacts({ action, outcome }: { action: Action; outcome: Outcome }) {
  const { t, formats } = useReader();
  const { from, until, lastTicketMonth, lastDeductionMonth, deductedWith, employeeAmount, companyAmount } = outcome;
  const month = (text: string | null) => (text === null ? null : formats.month(text));
  const pays: Fact[] = [
    [t('previewEmployeePays'), employeeAmount.value === 0 ? t('invitationNothing') : formats.money(employeeAmount)],
    [t('employerPays'), formats.money(companyAmount)],
    employeeAmount.value > 0 &&
      deductedWith !== null && [t('previewFirstDeduction'), t('salaryOf', { month: formats.month(deductedWith) })],
  ];
  const ends: Fact[] = [
    lastTicketMonth !== null && [t('lastTicket'), month(lastTicketMonth)],
    lastDeductionMonth !== null && [t('lastDeduction'), month(lastDeductionMonth)],
  ];
  const facts: Record<Action, readonly Fact[]> = {
    subscribe: [from !== null && [t('previewFirstTicket'), month(from)], ...pays],
    pause: [
      from !== null && [t('lastTicket'), month(addMonths(from, -1))],
      from !== null && [t('previewNoTicket'), month(from)],
      [t('previewTicketAgain'), month(until) ?? t('previewUntilYou')],
      ...ends,
    ],
    resume: [from !== null && [t('previewTicketAgain'), month(from)], ...pays],
    cancel: ends,
  };
  return <Facts facts={facts[action]} />;
}

function Preview({ action, preview }: { action: Action; preview: RequestPreview }) {
  const { t, formats, renderMessage } = useReader();
  const { refusal, sentence, undoUntil } = preview;
  if (refusal !== null) {
    return (
      <Notice look="bad" left="alert" title={t('refusedTitle')} isStatus>
        <p>{renderMessage(refusal.message)}</p>
        {refusal.earliestFrom !== null && <p>{t('refusedEarliest', { month: formats.month(refusal.earliestFrom) })}</p>}
      </Notice>
    );
  }
  return (
    <section className="preview" aria-live="polite" aria-label={t('preview')}>
      <h2>{t('preview')}</h2>
      <p>{renderMessage(sentence)}</p>
      <OutcomeFacts action={action} outcome={preview} />
      <p className="undo-until">
        {undoUntil === null ? t('previewNoUndo') : t('previewUndo', { date: formats.date(undoUntil) })}
      </p>
    </section>
  );
}

/** Confirms what was done, with its dates and the way back. */
export function Done({ title, children }: { title: string; children: React.ReactNode }) {
  const { t } = useReader();
  return (
    <Screen title={title} step="done">
      <Card className="done">
        {icon('check', 32)}
        <div role="status">{children}</div>
        <p>{t('doneMail')}</p>
        <Link to="/subscription" className="button primary">
          {t('doneBack')}
        </Link>
      </Card>
    </Screen>
  );
}

interface Choices {
  action: Action;
  from: string | undefined;
  until: string | null;
  earliestFrom: string | null;
  onChange(change: { from?: string; until?: string | null }): void;
}

function Months({ action, from, until, earliestFrom, onChange }: Choices) {
  const { t, formats } = useReader();
  if (earliestFrom === null || from === undefined) return null;
  // Somebody who cancels thinks of the last month, not of the first one without a ticket.
  const labelOf = (first: string) => formats.month(action === 'cancel' ? addMonths(first, -1) : first);
  const options = (months: readonly string[]) => months.map((value) => ({ value, label: labelOf(value) }));
  return (
    <>
      <Choice
        label={t(texts[action].from)}
        value={from}
        options={options(monthsFrom(earliestFrom, choosableMonths))}
        onChange={(next) =>
          onChange({ from: next, ...(until !== null && until <= next ? { until: addMonths(next, 1) } : {}) })
        }
      />
      {action === 'pause' && (
        <Choice
          label={t('pauseUntil')}
          value={until ?? ''}
          options={[
            ...options(monthsFrom(addMonths(from, 1), choosableMonths)),
            { value: '', label: t('pauseUntilOpen') },
          ]}
          onChange={(next) => onChange({ until: next === '' ? null : next })}
        />
      )}
    </>
  );
}

/** Asks for one request: shows what it would do on which date, asks once, and confirms. */
export function RequestScreen({ action, home }: { action: Action; home: Home }) {
  const { t, formats } = useReader();
  const earliestFrom = home.actions.find((one) => one.action === action)?.earliestFrom ?? null;
  const [{ from, until }, setMonths] = useState<{ from: string | undefined; until: string | null }>({
    from: earliestFrom ?? undefined,
    until: action === 'pause' && earliestFrom !== null ? addMonths(earliestFrom, 1) : null,
  });
  const [reason, setReason] = useState('');
  const [hasConsent, setConsent] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isOther, setOther] = useState(false);
  const [outcome, setOutcome] = useState<RequestOutcomeView>();
  const consent = useRef<HTMLInputElement>(null);
  const request: PreviewRequestBody = {
    action,
    ...(from === undefined ? {} : { from }),
    ...(action === 'pause' ? { until } : {}),
  };
  const {
    data: preview,
    error,
    reload,
  } = useLoaded(() => post<RequestPreview>('/subscription/preview', request), `preview ${JSON.stringify(request)}`);
  const needsAgreement = preview?.refusal === null && preview.needsAgreement;
  const { data: agreement, reload: reloadAgreement } = useLoaded(
    async () => (needsAgreement ? get<MyAgreement>('/agreement') : null),
    `agreement ${needsAgreement}`,
  );
  const send = useAction(async () => {
    const body: RequestBody = {
      ...request,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(needsAgreement && agreement ? { agreementSha256: agreement.sha256 } : {}),
    };
    try {
      const result = await post<RequestOutcomeView>('/subscription', body);
      await refresh();
      setOutcome(result);
    } catch (error) {
      if (!isOtherAgreement(error)) throw error;
      setOther(true);
      setConsent(false);
      setTried(false);
      reload();
      reloadAgreement();
    }
  });
  const { title, text, confirm, done } = texts[action];
  if (outcome !== undefined) {
    return (
      <Done title={t(done)}>
        <OutcomeFacts action={action} outcome={outcome} />
        {outcome.undoUntil !== null && <p>{t('previewUndo', { date: formats.date(outcome.undoUntil) })}</p>}
      </Done>
    );
  }
  const isFree = preview?.employeeAmount.value === 0;
  return (
    <Screen title={t(title)} hint={t(text)} back="/subscription">
      <Card>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (preview?.refusal !== null) return;
            if (!needsAgreement || (hasConsent && agreement)) void send.run();
            else consent.current?.focus();
          }}
        >
          <Months
            action={action}
            from={from}
            until={until}
            earliestFrom={earliestFrom}
            onChange={(change) => setMonths({ from, until, ...change })}
          />
          <Problem error={error} onRetry={reload} />
          {preview === undefined && error === undefined && <Loading />}
          {preview && <Preview action={action} preview={preview} />}
          {needsAgreement && agreement && (
            <AgreementConsent
              ref={consent}
              hasConsent={hasConsent}
              onChange={setConsent}
              isMissing={isTried && !hasConsent}
              isOther={isOther}
            />
          )}
          {action === 'cancel' && preview?.refusal === null && (
            <Field
              label={t('reason')}
              hint={t('reasonHint')}
              value={reason}
              onChange={setReason}
              isLong
              maxLength={500}
            />
          )}
          <Problem error={send.error} />
          {preview?.refusal === null && (
            <Button
              type="submit"
              look={action === 'cancel' ? 'danger' : 'primary'}
              label={t(action === 'subscribe' && isFree ? 'confirmSubscribeFree' : confirm)}
              isBusy={send.isBusy}
            />
          )}
        </form>
      </Card>
    </Screen>
  );
}
