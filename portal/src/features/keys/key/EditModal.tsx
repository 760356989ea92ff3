import { Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../../../../../src/features/keys/contract.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useUpdateKey } from '../api.ts';
import { NameField } from '../NameField.tsx';
import { PermissionFields } from '../PermissionFields.tsx';
import { texts as keysTexts } from '../texts.ts';
import { texts } from './texts.ts';

interface Props {
  apiKey: ApiKey;
  onClose(): void;
}

function Form({ apiKey, onClose }: Props) {
  const t = useTexts(texts);
  const keys = useTexts(keysTexts);
  const update = useUpdateKey(apiKey.username);
  const [name, setName] = useState(apiKey.name);
  const [chosen, setChosen] = useState([...(apiKey.requestedPermissions ?? apiKey.permissions)]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length === 0) return;
    const onSuccess = () => {
      notifications.show({ color: 'teal', message: t('saved', { name: name.trim() }) });
      onClose();
    };
    update.mutate({ name: name.trim(), permissions: chosen }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('editHint')}</Text>
        <NameField label={t('name')} value={name} onChange={setName} />
        <PermissionFields
          chosen={chosen}
          current={apiKey.permissions}
          onChange={setChosen}
          error={chosen.length === 0 && keys('choose')}
        />
        <ProblemAlert error={update.error} inWords={{ 'not-found': keys('gone') }} />
        <FormButtons submitLabel={t('save')} pending={update.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** Changes the name and the permissions of a key. */
export function EditModal({ opened, ...props }: Props & { opened: boolean }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title={t('editTitle', { name: props.apiKey.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Form {...props} />
    </Modal>
  );
}
