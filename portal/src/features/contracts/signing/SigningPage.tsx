import { Divider, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { SignBody, SigningOffer } from '../../../../../src/features/contracts/contract.ts';
import { useGet, usePost } from '../../../app/api/queries.ts';
import { ApiProblem, at, pathTo } from '../../../app/api/request.ts';
import { type Language, useLanguage } from '../../../app/i18n/language.tsx';
import { useReader } from '../../../app/i18n/reader.ts';
import { AuthLayout } from '../../../app/shell/AuthLayout.tsx';
import { Action } from '../../../ui/Action.tsx';
import { ConfirmModal } from '../../../ui/Dialog.tsx';
import { IconCircleCheck, IconFileText } from '../../../ui/icons.gen.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Loading } from '../../../ui/Query.tsx';
import { Hint } from '../../../ui/text.tsx';
import { texts } from './texts.ts';

/** The company's formats are unknown without an account, so the reader's language decides. */
const formatTime = (text: string, language: Language) =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(text),
  );

function Agreement({ token }: { token: string }) {
  const { t } = useReader(texts);
  return (
    <Action
      href={pathTo(at`/signing/${token}/agreement`)}
      target="_blank"
      rel="noreferrer"
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconFileText size={18} aria-hidden />}
      label={t('read')}
    />
  );
}

function Offer({ token, offer }: { token: string; offer: SigningOffer }) {
  const { t, words } = useReader(texts);
  const sign = usePost<SigningOffer, SignBody>(at`/signing/${token}`, ['signing']);
  const [isRejecting, setRejecting] = useState(false);
  const { documentSha256, planType, monthlyAmount } = offer;
  const decide = (decision: 'contract-accepted' | 'contract-rejected') => sign.mutate({ decision, documentSha256 });
  return (
    <Stack gap="md">
      <div>
        <Hint>{t('amount')}</Hint>
        <Text size="md" fz={28} fw={700} className="figures">
          {monthlyAmount?.label ?? t(planType)}
        </Text>
        {planType !== 'fully-subsidized-plan' && <Text>{t('fromSalary')}</Text>}
        <Hint mt={4}>
          {t('plan')}: {words.plan[planType]}
        </Hint>
      </div>
      <Agreement token={token} />
      <Divider />
      {!isRejecting && <ProblemAlert error={sign.error} />}
      <Text>{t('consent')}</Text>
      <Action
        size="lg"
        fullWidth
        onClick={() => decide('contract-accepted')}
        loading={sign.isPending && !isRejecting}
        label={t('accept')}
      />
      <Action
        size="md"
        fullWidth
        variant="default"
        onClick={() => setRejecting(true)}
        disabled={sign.isPending}
        label={t('reject')}
      />
      <ConfirmModal
        opened={isRejecting}
        onClose={() => setRejecting(false)}
        onConfirm={() => decide('contract-rejected')}
        title={t('rejectTitle')}
        confirmLabel={t('reject')}
        danger
        pending={sign.isPending}
        error={sign.error}
      >
        {t('rejectText')}
      </ConfirmModal>
    </Stack>
  );
}

/** Lets an employee sign by their personal link. They have no account. Made for phones first. */
export function Component() {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const { token = '' } = useParams();
  const { data: offer, error } = useGet<SigningOffer>(['signing', token], at`/signing/${token}`, {
    meta: { public: true },
    retry: false,
  });
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <AuthLayout title={t('gone')} hint={t('goneHint')}>
        {null}
      </AuthLayout>
    );
  }
  if (offer === undefined) {
    return (
      <AuthLayout title={t('title')} hint={!error && <Skeleton component="span" display="block" height={42} />}>
        <ProblemAlert error={error} />
        {!error && <Loading height={420} />}
      </AuthLayout>
    );
  }
  const { companyName: company, firstName, lastName, signature, contractStatus } = offer;
  if (signature !== null || contractStatus !== 'pending') {
    const word = signature?.decision === 'contract-accepted' ? 'accepted' : 'rejected';
    const time = signature ? formatTime(signature.decidedAt, language) : '';
    return (
      <AuthLayout title={t(signature ? `${word}Title` : 'decidedTitle')} hint={company}>
        <Stack gap="md" role="status">
          <IconCircleCheck size={40} stroke={1.5} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text size="md">{signature ? t(`${word}Text`, { time }) : t('decidedText')}</Text>
          <Agreement token={token} />
        </Stack>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t('title')} hint={t('hint', { company, name: `${firstName} ${lastName}` })}>
      <Offer token={token} offer={offer} />
    </AuthLayout>
  );
}
