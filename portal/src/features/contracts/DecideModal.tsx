import { List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ContractsPreview, DecideContractsBody } from '../../../../src/features/contracts/contract.ts';
import type { Batch } from '../../../../src/features/subscriptions/batches/contract.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ConsentFields, useConsent } from '../../ui/consent/ConsentFields.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { EffectsLine } from '../../ui/effects/EffectsLine.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { BatchResult } from '../subscriptions/BatchResult.tsx';
import { type Selection, useContractsPreview } from './api.ts';
import { texts } from './texts.ts';

const knownRefusals = ['already-decided', 'no-contract', 'not-possible-in-this-status'] as const;

function Preview({ preview: { applicable, effects, refusals } }: { preview: ContractsPreview }) {
  const { t, formats } = useReader(texts);
  return (
    <Stack gap="xs">
      {applicable > 0 && <EffectsLine effects={effects} />}
      <Text>{applicable === 0 ? t('appliesToNobody') : t('applies', { count: applicable })}</Text>
      {refusals.length > 0 && (
        <div>
          <Text>{t('refused')}</Text>
          <List size="sm">
            {refusals.map(({ code, employees }) => (
              <List.Item key={code}>
                {t(knownRefusals.find((one) => one === code) ?? 'other', { employees: formats.number(employees) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

interface Props {
  decision: DecideContractsBody['decision'];
  selection: Selection;
  onClose(): void;
  onDone(): void;
}

export function DecideModal({ decision, selection, onClose, onDone }: Props) {
  const { t } = useReader(texts);
  const [batchId, setBatchId] = useState<number>();
  const preview = useContractsPreview({ decision, ...selection });
  const decide = usePost<Batch, DecideContractsBody>('/contracts/decisions', []);
  const consent = useConsent();
  const isConsent = decision === 'contract-accepted';
  const title = t(isConsent ? 'acceptTitle' : 'rejectTitle');
  if (batchId !== undefined) {
    const leave = () => {
      onDone();
      onClose();
    };
    return (
      <Dialog opened onClose={leave} title={title}>
        <BatchResult id={batchId} onClose={leave} />
      </Dialog>
    );
  }
  const applicable = preview.data?.applicable ?? 0;
  const given = isConsent && consent.value ? { consent: consent.value } : {};
  const confirm = () =>
    decide.mutate(
      { decision, ...selection, ...given, confirm: applicable },
      { onSuccess: ({ id }) => setBatchId(id), onError: () => void preview.refetch() },
    );
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={confirm}
      title={title}
      confirmLabel={t(isConsent ? 'accepted' : 'rejected')}
      danger={!isConsent}
      pending={decide.isPending || preview.isPending}
      disabled={applicable === 0}
      error={decide.error}
    >
      <ProblemAlert error={preview.error} />
      <Stack gap="sm">
        {preview.data && <Preview preview={preview.data} />}
        {isConsent && applicable > 0 && <ConsentFields consent={consent} />}
      </Stack>
    </ConfirmModal>
  );
}
