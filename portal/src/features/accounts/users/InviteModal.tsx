import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../../../src/domain/enums.ts';
import { ApiProblem } from '../../../app/api/request.ts';
import { useCommonTexts } from '../../../app/i18n/common.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Secret } from '../../../ui/Secret.tsx';
import { useInvite } from './api.ts';
import { RolesChoice } from './RolesChoice.tsx';
import { texts } from './texts.ts';

interface CreatedInvitation {
  email: string;
  /** Null: the link was mailed. */
  link: string | null;
  expiresAt: string;
}

function InviteForm({ onCreated, onCancel }: { onCreated(created: CreatedInvitation): void; onCancel(): void }) {
  const t = useTexts(texts);
  const invite = useInvite();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<Role[]>(['viewer']);
  const { error } = invite;
  const code = error instanceof ApiProblem ? error.code : undefined;
  const isEmailWrong =
    code === 'invalid-body' && error instanceof ApiProblem && error.errors.some(({ pointer }) => pointer === '/email');
  const emailError = code === 'email-taken' ? t('emailTaken') : isEmailWrong && t('invalidEmail');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    invite.mutate({ email: address, roles }, { onSuccess: (created) => onCreated({ email: address, ...created }) });
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
        <RolesChoice roles={roles} onChange={setRoles} />
        {!emailError && <ProblemAlert error={error} />}
        <FormButtons
          submitLabel={t('inviteSubmit')}
          pending={invite.isPending}
          disabled={roles.length === 0}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function LinkView({ created, onDone }: { created: CreatedInvitation; onDone(): void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { link } = created;
  return (
    <Stack>
      {/* The element that had the focus was removed with the form. */}
      <div tabIndex={-1} ref={(element) => element?.focus()} style={{ outline: 'none' }}>
        <Text size="sm">
          {t(link === null ? 'sentHint' : 'linkHint', { email: created.email, time: formats.time(created.expiresAt) })}
        </Text>
      </div>
      {link !== null && <Secret label={t('link')} value={link} once />}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t(link === null ? 'sentDone' : 'done')}</Button>
      </Group>
    </Stack>
  );
}

/** Shows the link once. While it is shown, neither a stray click nor the Escape key closes the modal. */
export function InviteModal({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const [created, setCreated] = useState<CreatedInvitation>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      title={t(created ? (created.link === null ? 'sentTitle' : 'linkTitle') : 'inviteTitle')}
      closeOnClickOutside={!created?.link}
      closeOnEscape={!created?.link}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {created ? (
        <LinkView created={created} onDone={onClose} />
      ) : (
        <InviteForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}
