import { PasswordInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CheckedDelivery, DeliveryBody, IssuerPage } from '../../../../src/features/issuers/contract.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Dialog, type DialogState } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { DeliveryProblems } from './DeliveryProblems.tsx';
import { deliveryTexts } from './delivery-texts.ts';

type Settings = IssuerPage['settings']['delivery'];

const initialOf = (delivery: Settings) => ({
  ...{ kind: (delivery?.kind ?? 'none') as DeliveryBody['kind'], format: delivery?.format ?? ('xlsx' as const) },
  ...{ to: delivery?.to ?? '', host: delivery?.host ?? '', port: delivery?.port ? String(delivery.port) : '' },
  ...{ user: delivery?.user ?? '', password: '', privateKey: '', hostKey: delivery?.hostKey ?? '' },
  ...{ folder: delivery?.folder ?? '', returned: delivery?.returned ?? '' },
});
type Values = ReturnType<typeof initialOf>;

/** Returns what belongs to the chosen way. */
function toBody({ kind, format, to, port, ...sftp }: Values): DeliveryBody {
  if (kind === 'none') return { kind };
  if (kind === 'mail') return { kind, format, to: to.trim() };
  const given = Object.entries(sftp).map(([name, value]) => [name, value.trim() === '' ? null : value.trim()]);
  return { kind, format, port: port.trim() === '' ? null : Number(port), ...Object.fromEntries(given) };
}

type Fields = ReturnType<typeof useChangeForm<Values, DeliveryBody, CheckedDelivery>>;

function SftpFields({ form, isKnown }: { form: Fields; isKnown: boolean }) {
  const { t } = useReader(deliveryTexts);
  const plain = { autoComplete: 'off', spellCheck: false } as const;
  const secret = { autoComplete: 'off', description: isKnown ? t('secretHint') : undefined } as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...form.field('host', t('host'))} {...plain} required />
        <TextInput {...form.field('port', t('port'))} {...plain} inputMode="numeric" pattern="[1-9][0-9]{0,4}" />
        <TextInput {...form.field('user', t('user'))} {...plain} required />
        <PasswordInput {...form.field('password', t('password'))} {...secret} />
      </SimpleGrid>
      <Textarea {...form.field('privateKey', t('privateKey'))} {...secret} rows={2} />
      <Textarea {...form.field('hostKey', t('hostKey'))} {...plain} description={t('hostKeyHint')} rows={2} required />
      <TextInput {...form.field('folder', t('folder'))} {...plain} required />
      <TextInput {...form.field('returned', t('returned'))} {...plain} description={t('returnedHint')} />
    </>
  );
}

function DeliveryForm({ delivery, onClose }: { delivery: Settings } & Pick<DialogState, 'onClose'>) {
  const { t } = useReader(deliveryTexts);
  const [checked, setChecked] = useState<CheckedDelivery>();
  const form = useChangeForm({
    initial: initialOf(delivery),
    change: usePost<CheckedDelivery, DeliveryBody>('/issuer/delivery', ['issuer']),
    input: toBody,
    onDone(result) {
      setChecked(result);
      if (!result.isStored) return;
      onClose();
      notifyDone(t('saved'));
    },
  });
  const { kind } = form.values;
  return (
    <Form of={form} submitLabel={t('save')} onCancel={onClose}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...form.field('kind', t('kind'))}
          data={(['none', 'sftp', 'mail'] as const).map((value) => ({ value, label: t(value) }))}
          allowDeselect={false}
        />
        {kind !== 'none' && (
          <Select
            {...form.field('format', t('format'))}
            data={[
              { value: 'xlsx', label: 'Excel' },
              { value: 'csv', label: 'CSV' },
            ]}
            allowDeselect={false}
          />
        )}
      </SimpleGrid>
      {kind === 'mail' && (
        <TextInput {...form.field('to', t('to'))} type="email" description={t('toHint')} maxLength={254} required />
      )}
      {kind === 'sftp' && <SftpFields form={form} isKnown={delivery?.kind === 'sftp'} />}
      {checked?.isStored === false && <DeliveryProblems title={t('notSaved')} problems={checked.problems} />}
    </Form>
  );
}

/** Asks how lists are exchanged. What does not work is not stored, and its problems are shown. */
export function DeliveryDialog({ delivery, ...dialog }: DialogState & { delivery: Settings }) {
  const { t } = useReader(deliveryTexts);
  return (
    <Dialog {...dialog} title={t('delivery')} size="lg">
      <DeliveryForm delivery={delivery} onClose={dialog.onClose} />
    </Dialog>
  );
}
