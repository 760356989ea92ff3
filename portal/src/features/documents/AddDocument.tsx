import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { PdfInput } from '../../ui/PdfInput.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useAddCompanyDocument } from './api.ts';
import { texts } from './texts.ts';

/** Adds a PDF as a document of the company. */
export function AddDocument() {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const add = useAddCompanyDocument();
  const close = () => {
    setOpened(false);
    setName('');
    setFile(null);
    add.reset();
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (name === '' && chosen) setName(chosen.name.replace(/\.pdf$/i, '').slice(0, 200));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file && name.trim() !== '') add.mutate({ name: name.trim(), file }, { onSuccess: close });
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('addDocument')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('addTitle')} closeButtonProps={{ 'aria-label': common('close') }}>
        <form onSubmit={submit}>
          <Stack>
            <PdfInput label={t('addFile')} value={file} onChange={choose} />
            <TextInput
              label={t('addName')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={200}
              autoComplete="off"
            />
            <ProblemAlert error={add.error} />
            <FormButtons
              submitLabel={t('addSubmit')}
              pending={add.isPending}
              disabled={file === null || name.trim() === ''}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
