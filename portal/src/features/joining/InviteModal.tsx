import { List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Invited, InvitePreview, Selection } from '../../../../src/features/joining/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { Expander } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Hint } from '../../ui/text.tsx';
import { useCampaign, useInvite, useInvitePreview } from './api.ts';
import { texts } from './texts.ts';

/** Says what it costs per month if everybody who is invited joins. */
function Costs({ preview }: { preview: InvitePreview }) {
  const { t, formats } = useReader(texts);
  const { invitable, monthly, companyAmount, employeeAmount, firstMonth } = preview;
  const money = (amount: { value: number }) => formats.money(amount.value);
  return (
    <div>
      <Text fw={600} fz="md" className="figures">
        {t('costsOfAll', { count: invitable, company: money(monthly.company) })}
        {monthly.employees.value > 0 && ` ${t('costsOfEmployees', { amount: money(monthly.employees) })}`}
      </Text>
      <Hint>
        {companyAmount !== null &&
          employeeAmount !== null &&
          t('costsOfOne', { company: money(companyAmount), employee: money(employeeAmount) })}{' '}
        {firstMonth !== null && t('firstMonth', { month: formats.month(firstMonth) })}
      </Hint>
    </div>
  );
}

function Named({ preview: { named, employees } }: { preview: InvitePreview }) {
  const { t, formats } = useReader(texts);
  return (
    <Expander label={t('who')} size="sm">
      <List size="sm" mt="xs" mah={220} style={{ overflowY: 'auto' }}>
        {named.map(({ employeeId, name, email, refusal }) => (
          <List.Item key={employeeId}>
            {name}, {email}
            {refusal !== null && (
              <Text span size="xs" c="dimmed">
                {' '}
                {t('notInvited', { reason: t(refusal) })}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {employees > named.length && (
        <Hint size="sm">{t('andOthers', { count: formats.number(employees - named.length) })}</Hint>
      )}
    </Expander>
  );
}

function Preview({ preview, isMailConfigured }: { preview: InvitePreview; isMailConfigured: boolean }) {
  const { t, formats } = useReader(texts);
  const { invitable, refusals } = preview;
  return (
    <Stack gap="sm">
      {invitable > 0 && <Costs preview={preview} />}
      <Text>{invitable === 0 ? t('nobodyToInvite') : t('willInvite', { count: invitable })}</Text>
      {refusals.length > 0 && (
        <div>
          <Text>{t('others')}</Text>
          <List size="sm">
            {refusals.map(({ reason, employees }) => (
              <List.Item key={reason}>
                {formats.number(employees)}: {t(reason)}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {preview.named.length > 0 && <Named preview={preview} />}
      {!isMailConfigured && invitable > 0 && <Notice color="yellow" text={t('noMail')} />}
    </Stack>
  );
}

interface Props {
  selection: Selection;
  onClose(): void;
}

/** Shows who is invited and what it costs, then invites them. */
export function InviteModal({ selection, onClose }: Props) {
  const { t } = useReader(texts);
  const campaign = useCampaign().data;
  const isOff = campaign?.joining === 'roster';
  const preview = useInvitePreview(selection);
  const invite = useInvite();
  const [result, setResult] = useState<Invited>();
  if (result !== undefined) {
    return (
      <Dialog opened onClose={onClose} title={t('inviteTitle')}>
        <Stack>
          <Text role="status">
            {result.invited === 0 ? t('nobodyInvited') : t('invitedNow', { count: result.invited })}
          </Text>
          {result.mailed < result.invited && <Hint>{t('notMailed', { count: result.invited - result.mailed })}</Hint>}
          <Action variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }} label={t('close')} />
        </Stack>
      </Dialog>
    );
  }
  const invitable = preview.data?.invitable ?? 0;
  const confirm = () =>
    invite.mutate(
      { ...selection, confirm: invitable },
      {
        onSuccess(invited) {
          setResult(invited);
        },
        onError: () => void preview.refetch(),
      },
    );
  return (
    <ConfirmModal
      onClose={onClose}
      onConfirm={confirm}
      title={t('inviteTitle')}
      confirmLabel={invitable === 0 ? t('invite') : t('inviteCount', { count: invitable })}
      pending={invite.isPending || preview.isPending}
      disabled={invitable === 0 || isOff}
      error={invite.error}
    >
      <ProblemAlert error={preview.error} />
      {isOff && <Notice color="yellow" title={t('offTitle')} text={t('offAskAdmin')} />}
      {preview.data && !isOff && (
        <Preview preview={preview.data} isMailConfigured={campaign?.isMailConfigured ?? true} />
      )}
    </ConfirmModal>
  );
}
