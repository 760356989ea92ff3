import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SigningLinks } from '../../../../src/features/contracts/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { ConfirmModal, Dialog } from '../../ui/Dialog.tsx';
import { downloadCsv } from '../../ui/export.tsx';
import { IconDownload } from '../../ui/icons.gen.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { type Selection, useCreateSigningLinks } from './api.ts';
import { texts } from './texts.ts';

interface LinksProps {
  selection: Selection;
  /** Reminds of links that exist, instead of creating new ones. */
  isReminder: boolean;
  onClose(): void;
}

export function LinksModal({ selection, isReminder, onClose }: LinksProps) {
  const { t, formats } = useReader(texts);
  const { language } = useLanguage();
  const create = useCreateSigningLinks(isReminder ? '/contracts/reminders' : '/contracts/links');
  const [result, setResult] = useState<SigningLinks>();
  const sendsMail = useMe().data?.sendsMail;
  const intro = selection.employeeIds?.length === 1 ? 'linkText' : 'linksText';
  const run = () => create.mutate({ selection, earlier: result }, { onSuccess: setResult });
  const { isPending, error } = create;
  const title = t(isReminder ? 'remind' : 'sendLinks');
  if (result === undefined) {
    return (
      <ConfirmModal
        onClose={onClose}
        onConfirm={run}
        title={title}
        confirmLabel={t(isReminder ? 'remindConfirm' : 'linksConfirm')}
        pending={isPending}
        error={error}
      >
        <Stack gap="sm">
          {t(isReminder ? 'remindText' : intro)}
          {sendsMail === false && <Notice color="yellow" text={t('noMail')} />}
        </Stack>
      </ConfirmModal>
    );
  }
  const { created, mailed, links, remaining } = result;
  const rows = links.map(({ name, email, url, expiresAt }) => [name, email, url, formats.time(expiresAt)]);
  const download = () =>
    downloadCsv(t('fileName'), [[t('name'), t('email'), t('link'), t('expires')], ...rows], language);
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Text role="status">
          {created === 0
            ? t(isReminder ? 'nobodyToRemind' : 'nobody')
            : t(mailed ? 'mailed' : 'created', { count: created })}
        </Text>
        {remaining > 0 && (
          <>
            <Text fw={600} role="alert">
              {t('remaining', { count: remaining })}
            </Text>
            <ProblemAlert error={error} />
            <Action onClick={run} loading={isPending} label={t('continue')} />
          </>
        )}
        {links.length > 0 && <Action icon={IconDownload} onClick={download} label={t('download')} />}
        <Action variant="default" onClick={onClose} label={t('close')} />
      </Stack>
    </Dialog>
  );
}
