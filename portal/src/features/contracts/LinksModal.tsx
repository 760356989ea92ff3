import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { SigningLinks } from '../../../../src/features/contracts/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useTexts } from '../../app/i18n/texts.ts';
import { ConfirmModal } from '../../ui/ConfirmModal.tsx';
import { downloadCsv } from '../../ui/download-csv.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { type Selection, useCreateSigningLinks } from './api.ts';
import { texts } from './texts.ts';

interface ResultProps {
  result: SigningLinks;
  onClose(): void;
  onContinue(): void;
  isPending: boolean;
  error: unknown;
}

function Result({ result, onClose, onContinue, isPending, error }: ResultProps) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { time } = useFormats();
  const { created, mailed, links, remaining } = result;
  const download = () =>
    downloadCsv(
      t('fileName'),
      [
        [t('name'), t('email'), t('link'), t('expires')],
        ...links.map(({ name, email, url, expiresAt }) => [name, email, url, time(expiresAt)]),
      ],
      language,
    );
  return (
    <Stack>
      <Text size="sm" role="status">
        {created === 0 ? t('nobody') : t(mailed ? 'mailed' : 'created', { count: created })}
      </Text>
      {remaining > 0 && (
        <>
          <Text size="sm" fw={600} role="alert">
            {t('remaining', { count: remaining })}
          </Text>
          <ProblemAlert error={error} />
          <Button onClick={onContinue} loading={isPending}>
            {t('continue')}
          </Button>
        </>
      )}
      {links.length > 0 && (
        <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
          {t('download')}
        </Button>
      )}
      <Button variant="default" onClick={onClose}>
        {t('close')}
      </Button>
    </Stack>
  );
}

/** Creates personal links, and offers them as a file if they are not mailed. */
export function LinksModal({ selection, onClose }: { selection: Selection; onClose(): void }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const create = useCreateSigningLinks();
  const [result, setResult] = useState<SigningLinks>();
  const sendsMail = useMe().data?.sendsMail;
  const run = () => create.mutate({ selection, earlier: result }, { onSuccess: setResult });
  if (result) {
    return (
      <Modal opened onClose={onClose} title={t('linksTitle')} closeButtonProps={{ 'aria-label': common('close') }}>
        <Result result={result} onClose={onClose} onContinue={run} isPending={create.isPending} error={create.error} />
      </Modal>
    );
  }
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      onConfirm={run}
      title={t('linksTitle')}
      confirmLabel={t('linksConfirm')}
      pending={create.isPending}
      error={create.error}
    >
      <Stack gap="sm">
        {t('linksText')}
        {sendsMail === false && <Alert color="yellow">{t('noMail')}</Alert>}
      </Stack>
    </ConfirmModal>
  );
}
