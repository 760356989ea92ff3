import { Alert, Group, PasswordInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { CheckedDelivery, DeliveryBody, IssuerPage } from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { Dialog, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Hint } from '../../ui/text.tsx';
import { deliveryTexts } from './delivery-texts.ts';

type Settings = IssuerPage['settings']['delivery'];

const touches = ['issuer'];

function Problems({ title, problems }: { title: string } & Pick<CheckedDelivery, 'problems'>) {
  return (
    <Alert color="orange" title={title} icon={<IconAlertTriangle size={18} />} role="alert">
      {problems.map((message) => (
        <div key={JSON.stringify(message)}>
          <MessageText message={message} />
        </div>
      ))}
    </Alert>
  );
}

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
    change: usePost<CheckedDelivery, DeliveryBody>('/issuer/delivery', touches),
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
      {checked?.isStored === false && <Problems title={t('notSaved')} problems={checked.problems} />}
    </Form>
  );
}

/** Shows how lists get to the issuer and back, and lets it be changed and tested. */
export function Delivery({ delivery }: { delivery: Settings }) {
  const { t } = useReader(deliveryTexts);
  const mayChange = useAbility('integrations');
  const { show, dialog } = useDialog();
  const test = usePost<CheckedDelivery, undefined>('/issuer/delivery/check', []);
  const fact = (name: keyof typeof deliveryTexts, value: string | null | undefined): Fact | false =>
    Boolean(value) && [t(name), value];
  const open = () =>
    show((state) => (
      <Dialog {...state} title={t('delivery')} size="lg">
        <DeliveryForm delivery={delivery} onClose={state.onClose} />
      </Dialog>
    ));
  return (
    <Section title={t('delivery')}>
      <Stack gap="md">
        {delivery === null ? (
          <Hint>{t('noneHint')}</Hint>
        ) : (
          <Facts
            labelWidth={200}
            facts={[
              [t('kind'), `${t(delivery.kind)} (${delivery.format === 'xlsx' ? 'Excel' : 'CSV'})`],
              fact('to', delivery.to),
              fact('host', delivery.host),
              fact('user', delivery.user),
              fact('folder', delivery.folder),
              fact('returned', delivery.returned),
            ]}
          />
        )}
        {test.data && test.data.problems.length > 0 && <Problems title={t('fails')} problems={test.data.problems} />}
        {mayChange && (
          <Group gap="xs">
            <Action variant="default" label={t('change')} onClick={open} />
            {delivery !== null && (
              <Action
                variant="default"
                label={t('test')}
                loading={test.isPending}
                onClick={() =>
                  test.mutate(undefined, {
                    onSuccess: ({ problems }) => problems.length === 0 && notifyDone(t('works')),
                  })
                }
              />
            )}
          </Group>
        )}
        {dialog}
      </Stack>
    </Section>
  );
}
