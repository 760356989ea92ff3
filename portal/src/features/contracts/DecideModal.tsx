import { Button, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ContractBatch, ContractsPreview } from '../../../../src/features/contracts/contract.ts';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ConfirmModal } from '../../ui/ConfirmModal.tsx';
import { ConsentFields, useConsent } from '../../ui/consent/ConsentFields.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { type Selection, useContractBatch, useContractsPreview, useDecideContracts } from './api.ts';
import { texts } from './texts.ts';

export type ContractDecision = ContractBatch['decision'];

const knownRefusals = ['already-decided', 'no-contract', 'not-possible-in-this-status'] as const;

function Preview({ preview }: { preview: ContractsPreview }) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const { applicable, ended, refusals } = preview;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {applicable === 0 ? t('appliesToNobody') : t('applies', { count: applicable })}
      </Text>
      {ended > 0 && <Text size="sm">{t('ends', { count: ended })}</Text>}
      {refusals.length > 0 && (
        <div>
          <Text size="sm">{t('refused')}</Text>
          <List size="sm">
            {refusals.map(({ code, employees }) => (
              <List.Item key={code}>
                {t(knownRefusals.find((one) => one === code) ?? 'other', { employees: number(employees) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

function BatchProgress({ batch, onClose }: { batch: ContractBatch; onClose(): void }) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const { total, decided, refused, finishedAt } = batch;
  const done = decided + refused;
  return (
    <Stack>
      <Progress
        value={(100 * done) / Math.max(1, total)}
        animated={finishedAt === null}
        aria-label={t('progressLabel')}
      />
      <Text size="sm" role="status">
        {finishedAt === null
          ? t('progress', { done: number(done), total: number(total) })
          : t('finished', { count: decided })}{' '}
        {finishedAt !== null && refused > 0 && t('skipped', { count: refused })}
      </Text>
      {finishedAt === null && (
        <Text size="sm" c="dimmed">
          {t('mayClose')}
        </Text>
      )}
      <Button variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }}>
        {t('close')}
      </Button>
    </Stack>
  );
}

interface Props {
  decision: ContractDecision;
  selection: Selection;
  onClose(): void;
  onDone(): void;
}

/** Shows the employees that a decision applies to, records it, and shows its progress. */
export function DecideModal({ decision, selection, onClose, onDone }: Props) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const client = useQueryClient();
  const [batchId, setBatchId] = useState<number>();
  const preview = useContractsPreview({ decision, ...selection });
  const decide = useDecideContracts();
  const consent = useConsent();
  const isConsent = decision === 'contract-accepted';
  const { data: batch } = useContractBatch(batchId);
  const title = t(decision === 'contract-accepted' ? 'acceptTitle' : 'rejectTitle');
  const isFinished = typeof batch?.finishedAt === 'string';
  useEffect(() => {
    if (!isFinished) return;
    for (const name of ['employees', 'overview', 'activity']) void client.invalidateQueries({ queryKey: [name] });
  }, [client, isFinished]);
  if (batch !== undefined) {
    const leave = () => {
      onDone();
      onClose();
    };
    return (
      <Modal opened onClose={leave} title={title} closeButtonProps={{ 'aria-label': common('close') }}>
        <BatchProgress batch={batch} onClose={leave} />
      </Modal>
    );
  }
  const applicable = preview.data?.applicable ?? 0;
  const confirm = () =>
    decide.mutate(
      {
        decision,
        ...selection,
        ...(isConsent && consent.value ? { consent: consent.value } : {}),
        confirm: applicable,
      },
      { onSuccess: ({ id }) => setBatchId(id), onError: () => void preview.refetch() },
    );
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      onConfirm={confirm}
      title={title}
      confirmLabel={t(decision === 'contract-accepted' ? 'accepted' : 'rejected')}
      danger={decision === 'contract-rejected'}
      pending={decide.isPending || preview.isPending || batchId !== undefined}
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
