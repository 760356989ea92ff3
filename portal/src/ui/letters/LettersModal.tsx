import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../Action.tsx';
import { ConfirmModal, Dialog } from '../Dialog.tsx';
import { saveFile } from '../export.tsx';
import { IconDownload } from '../icons.gen.ts';
import { ProblemAlert } from '../ProblemAlert.tsx';
import { texts } from './texts.ts';

/** What printing letters returns. */
interface Printed {
  created: number;
  remaining: number;
  continueAfter: number | null;
  /** A PDF file in Base64. */
  file: string | null;
}

interface Props<Selection> {
  selection: Selection;
  print: {
    mutate(body: Selection & { after?: number }, options: { onSuccess(printed: Printed): void }): void;
    isPending: boolean;
    error: unknown;
  };
  /** What is printed, and what it means for earlier letters. */
  text: string;
  /** Says that there is nobody to write to. */
  nobody: string;
  onClose(): void;
}

/** Creates letters and offers them as files, one after the other. */
export function LettersModal<Selection extends object>({ selection, print, text, nobody, onClose }: Props<Selection>) {
  const { t } = useReader(texts);
  const [result, setResult] = useState<Printed>();
  const [files, setFiles] = useState(0);
  const run = () => {
    const after = result?.continueAfter;
    print.mutate(
      { ...selection, ...(after ? { after } : {}) },
      {
        onSuccess(letters) {
          setResult(letters);
          setFiles(files + 1);
        },
      },
    );
  };
  const title = t('printLetters');
  if (result === undefined) {
    return (
      <ConfirmModal
        onClose={onClose}
        onConfirm={run}
        title={title}
        confirmLabel={t('lettersConfirm')}
        pending={print.isPending}
        error={print.error}
      >
        {text}
      </ConfirmModal>
    );
  }
  const { created, file, remaining } = result;
  const save = () => {
    const name = `${t('lettersFile')}${files > 1 ? `-${files}` : ''}.pdf`;
    saveFile(name, [Uint8Array.from(atob(file ?? ''), (character) => character.charCodeAt(0))], 'application/pdf');
  };
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Text role="status">{created === 0 ? nobody : t('lettersCreated', { count: created })}</Text>
        {file !== null && <Action icon={IconDownload} onClick={save} label={t('lettersDownload')} />}
        {remaining > 0 && (
          <>
            <Text role="status">{t('lettersMore', { count: remaining })}</Text>
            <ProblemAlert error={print.error} />
            <Action variant="default" onClick={run} loading={print.isPending} label={t('lettersContinue')} />
          </>
        )}
        <Action variant="default" onClick={onClose} label={t('close')} />
      </Stack>
    </Dialog>
  );
}
