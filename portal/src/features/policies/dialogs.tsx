import { Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PolicyView } from '../../../../src/features/policies/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Dialog, type DialogState } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { useCreatePolicy, useEditPolicy } from './api.ts';
import { emptyDraft, TermsFields, termsOf } from './terms.tsx';
import { monthsFrom } from './terms-text.ts';
import { texts } from './texts.ts';

const nothing = {
  ...{ planType: 'fully-subsidized-plan', employeeCents: null, employerCents: null, employerPercent: null },
  ...{ minimumCents: null, maximumCents: null, waitingMonths: 0, taxTreatment: null },
} as const;

export function CreatePolicy({ opened, onClose }: DialogState) {
  const { t, formats } = useReader(texts);
  const months = monthsFrom(useMe().data?.today ?? '', 13);
  const [draft, setDraft] = useState(emptyDraft);
  const terms = termsOf(draft);
  const form = useChangeForm({
    initial: { name: '', groups: [] as string[], from: months[0] ?? '' },
    change: useCreatePolicy(),
    input: (values) => ({ ...values, name: values.name.trim(), terms: terms ?? nothing }),
    onDone(_, { name }) {
      onClose();
      notifyDone(t('created', { name: name.trim() }));
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('create')} size="lg">
      <Form
        of={form}
        submitLabel={t('create')}
        disabled={terms === undefined || form.values.name.trim() === ''}
        onCancel={onClose}
      >
        <TextInput {...form.field('name', t('name'))} maxLength={100} autoComplete="off" data-autofocus />
        <TagsInput
          {...form.field('groups', t('groups'))}
          description={t('groupsHint')}
          maxLength={100}
          acceptValueOnBlur
        />
        <Select
          {...form.field('from', t('from'))}
          data={months.map((month) => ({ value: month, label: formats.month(month) }))}
          allowDeselect={false}
        />
        <TermsFields draft={draft} onChange={(changed) => setDraft({ ...draft, ...changed })} />
      </Form>
    </Dialog>
  );
}

export function EditPolicy({ policy, opened, onClose }: DialogState & { policy: PolicyView }) {
  const { t } = useReader(texts);
  const { id, isDefault } = policy;
  const form = useChangeForm({
    initial: { name: policy.name, groups: policy.groups },
    change: useEditPolicy(id),
    input: ({ name, groups }) => ({ name: name.trim(), ...(isDefault ? {} : { groups }) }),
    onDone(_, { name }) {
      onClose();
      notifyDone(t('edited', { name: name.trim() }));
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('edit')}>
      <Form of={form} submitLabel={t('save')} disabled={form.values.name.trim() === ''} onCancel={onClose}>
        <TextInput {...form.field('name', t('name'))} maxLength={100} autoComplete="off" data-autofocus />
        {!isDefault && (
          <TagsInput
            {...form.field('groups', t('groups'))}
            description={t('groupsHint')}
            maxLength={100}
            acceptValueOnBlur
          />
        )}
      </Form>
    </Dialog>
  );
}
