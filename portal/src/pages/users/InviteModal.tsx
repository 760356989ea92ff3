import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../../src/domain/enums.ts';
import { ApiProblem } from '../../api/request.ts';
import { useInvite } from '../../api/users.ts';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { Secret } from '../../components/Secret.tsx';
import { useCommonTexts } from '../../i18n/common.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { RoleChoice } from './RoleChoice.tsx';

interface Made {
  email: string;
  link: string;
  expiresAt: string;
}

function InviteForm({ onMade, onCancel }: { onMade(made: Made): void; onCancel(): void }) {
  const t = useTexts({ en, de });
  const common = useCommonTexts();
  const invite = useInvite();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const { error } = invite;
  const code = error instanceof ApiProblem ? error.code : undefined;
  const isEmailWrong =
    code === 'invalid-body' && error instanceof ApiProblem && error.errors.some(({ pointer }) => pointer === '/email');
  const emailError = code === 'email-taken' ? t('emailTaken') : isEmailWrong && t('invalidEmail');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    invite.mutate({ email: address, role }, { onSuccess: (made) => onMade({ email: address, ...made }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('inviteHint')}</Text>
        <TextInput
          label={t('email')}
          type="email"
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            invite.reset();
          }}
          required
          withAsterisk={false}
          maxLength={254}
          autoComplete="off"
          error={emailError}
          data-autofocus
        />
        <RoleChoice role={role} onChange={setRole} />
        {!emailError && <ProblemAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t('inviteSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function LinkView({ made, onDone }: { made: Made; onDone(): void }) {
  const t = useTexts({ en, de });
  const formats = useFormats();
  return (
    <Stack>
      {/* The element that had the focus was removed with the form. */}
      <div tabIndex={-1} ref={(element) => element?.focus()} style={{ outline: 'none' }}>
        <Text size="sm">{t('linkHint', { email: made.email, time: formats.time(made.expiresAt) })}</Text>
      </div>
      <Secret label={t('link')} value={made.link} once />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}

/** Shows the link once. While it is shown, neither a stray click nor the Escape key closes the modal. */
export function InviteModal({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useTexts({ en, de });
  const common = useCommonTexts();
  const [made, setMade] = useState<Made>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={t(made ? 'linkTitle' : 'inviteTitle')}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {made ? <LinkView made={made} onDone={onClose} /> : <InviteForm onMade={setMade} onCancel={onClose} />}
    </Modal>
  );
}
