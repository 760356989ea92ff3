import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Secret } from '../../../ui/Secret.tsx';
import { useCreateResetLink } from './api.ts';
import { texts } from './texts.ts';
import { type UserModalProps, useRefusals } from './UserModals.tsx';

/** Creates the link with which a user chooses a new password. Shows it once, unless it was mailed. */
export function ResetLinkModal({ user, opened, onClose }: UserModalProps) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const formats = useFormats();
  const refusals = useRefusals();
  const create = useCreateResetLink();
  const { data: made } = create;
  const { name, email } = user;
  const isShown = made !== undefined && made.link !== null;
  const time = made && formats.time(made.expiresAt);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => create.reset()}
      title={t('resetLinkTitle', { name })}
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} role="status">
          {time === undefined
            ? t('resetLinkText', { email })
            : t(isShown ? 'resetLinkShown' : 'resetLinkMailed', { email, time })}
        </Text>
        <ProblemAlert error={create.error} inWords={{ ...refusals, 'not-found': t('noPassword') }} />
        {made?.link != null && <Secret label={t('resetLink')} value={made.link} once />}
        <Group justify="flex-end" gap="xs">
          {made === undefined ? (
            <>
              <Button variant="default" onClick={onClose}>
                {common('cancel')}
              </Button>
              <Button loading={create.isPending} onClick={() => create.mutate(user.id)}>
                {t('resetLinkSubmit')}
              </Button>
            </>
          ) : (
            <Button onClick={onClose}>{t(isShown ? 'done' : 'sentDone')}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
