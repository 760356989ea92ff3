import { Alert, Box, Skeleton, Stack, Text } from '@mantine/core';
import type { SubscriptionStatus } from '../../../../../src/domain/enums.ts';
import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import type { DecisionPreview } from '../../../../../src/features/employees/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { ConsentFields, useConsent, useScanName } from '../../../ui/consent/ConsentFields.tsx';
import { ConfirmChange, type DialogState } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { IconAlertTriangle } from '../../../ui/icons.gen.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Hint } from '../../../ui/text.tsx';
import { useDecide, useDecisionPreview } from '../api.ts';
import { Transition, useDecisionTexts } from './decision.tsx';
import { preview as previewTexts } from './texts.ts';

const dangerous: readonly Decision[] = ['cancel', 'contract-rejected'];

export function Effect({ preview }: { preview: DecisionPreview }) {
  const { t, formats } = useReader(previewTexts);
  if (preview.refusal !== null) {
    return (
      <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('refused')} role="alert">
        <Text>
          <MessageText message={preview.refusal} />
        </Text>
      </Alert>
    );
  }
  if (preview.changes.length === 0) return <Text>{t('nothing')}</Text>;
  const { nextTicketAt, changes } = preview;
  // A pause or an end that takes effect later leaves the tickets before it untouched.
  const isBefore =
    nextTicketAt !== null && changes.every(({ effectiveOn, to }) => nextTicketAt < effectiveOn && to !== 'active');
  const ticketText = isBefore ? 'lastTicket' : 'nextTicket';
  return (
    <Box component="section" aria-label={t('effect')} className="effect">
      <Stack gap="sm">
        <EffectsLine effects={preview.effects} />
        {preview.changes.map(({ effectiveOn, message, from, to }) => (
          <Stack key={`${effectiveOn} ${message.key}`} gap={4}>
            <Text fw={600}>{t('on', { date: formats.longDate(effectiveOn) })}</Text>
            <Transition from={from as SubscriptionStatus} to={to as SubscriptionStatus} />
            <Hint>
              <MessageText message={message} />
            </Hint>
          </Stack>
        ))}
        <Text>{nextTicketAt === null ? t('noTicket') : t(ticketText, { date: formats.longDate(nextTicketAt) })}</Text>
      </Stack>
    </Box>
  );
}

interface ModalProps extends DialogState {
  employeeId: number;
  name: string;
  decision: Decision;
}

export function DecisionModal({ employeeId, name, decision, opened, onClose }: ModalProps) {
  const { t } = useReader(previewTexts);
  const words = useDecisionTexts(name)(decision);
  const preview = useDecisionPreview(employeeId, opened ? decision : undefined);
  const consent = useConsent();
  const scanName = useScanName();
  const isConsent = decision === 'contract-accepted';
  const input = {
    decision,
    ...(isConsent && consent.value ? { consent: consent.value } : {}),
    ...(isConsent && consent.scan && consent.given === 'on-paper'
      ? { scan: { file: consent.scan, name: scanName } }
      : {}),
  };
  const isPossible = preview.data?.refusal === null && preview.data.changes.length > 0;
  return (
    <ConfirmChange
      opened={opened}
      onClose={onClose}
      change={useDecide(employeeId)}
      input={input}
      done={words.done}
      title={words.title}
      confirmLabel={words.confirm}
      danger={dangerous.includes(decision)}
      disabled={!isPossible}
      error={preview.error}
    >
      <Stack gap="sm">
        {preview.data ? (
          <Effect preview={preview.data} />
        ) : (
          !preview.error && <Skeleton height={84} role="status" aria-label={t('loading')} />
        )}
        <Text>{words.text}</Text>
        {isConsent && isPossible && <ConsentFields consent={consent} withScan />}
      </Stack>
    </ConfirmChange>
  );
}
