import { Group, Stack, Text, TextInput } from '@mantine/core';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { Connection, HintAddress, HintSecretBody } from '../../../../../src/features/connectors/pull/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useChange, usePost } from '../../../app/api/queries.ts';
import { at, post, remove } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { Secret } from '../../../ui/copy.tsx';
import { ConfirmChange, Dialog, type DialogState, SecretDialog, useDialog } from '../../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { TimeText } from '../../../ui/text.tsx';
import { touched } from '../api.ts';
import { texts } from './texts.ts';

/** HR systems whose webhooks we can verify. */
const signing: readonly (Provider | null)[] = ['hibob', 'bamboohr'];

interface Props {
  integrationId: number;
}

function NewAddress({ integrationId, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  const create = useChange(() => post<HintAddress>(at`/integrations/${integrationId}/hints`), touched);
  return (
    <SecretDialog<HintAddress>
      {...modal}
      title={t('hintsNew')}
      secretTitle={t('hintsCreated')}
      hint={t('hintsNext')}
      doneLabel={t('hintsDone')}
      form={(onCreated) => (
        <Stack>
          <Text>{t('hintsNewText')}</Text>
          <ProblemAlert error={create.error} />
          <Group justify="flex-end">
            <SmallAction
              onClick={() => create.mutate(undefined, { onSuccess: onCreated })}
              loading={create.isPending}
              label={t('hintsCreate')}
            />
          </Group>
        </Stack>
      )}
    >
      {({ url }) => <Secret label={t('hintsAddress')} value={url} once />}
    </SecretDialog>
  );
}

function SigningSecret({ integrationId, opened, onClose }: Props & DialogState) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { signingSecret: '' },
    change: usePost<void, HintSecretBody>(at`/integrations/${integrationId}/hints/secret`, touched),
    input: ({ signingSecret }) => ({ signingSecret }),
    onDone: onClose,
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('hintsSecret')}>
      <Form of={form} submitLabel={t('hintsSave')} onCancel={onClose}>
        <TextInput
          {...form.field('signingSecret', t('hintsSecretField'))}
          description={t('hintsSecretHint')}
          autoComplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}

function EndAddress({ integrationId, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useChange(() => remove(at`/integrations/${integrationId}/hints`), touched)}
      input={undefined}
      done={t('hintsEnded')}
      title={t('hintsEnd')}
      confirmLabel={t('hintsEnd')}
      danger
    >
      {t('hintsEndText')}
    </ConfirmChange>
  );
}

/** Renders whether the HR system reports changes, and where it does. */
export function HintsSection({ integrationId, connection }: Props & { connection: Connection }) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const { show, dialog } = useDialog();
  const { provider, hints } = connection;
  const open = (Modal: typeof NewAddress) => show((modal) => <Modal integrationId={integrationId} {...modal} />);
  const needsSecret = hints.isOn && signing.includes(provider) && !hints.isSigned;
  return (
    <Section title={t('hints')}>
      {dialog}
      <Stack gap="xs">
        <Text>{t(hints.isOn ? (needsSecret ? 'hintsUnsigned' : 'hintsOn') : 'hintsOff')}</Text>
        {hints.lastAt !== null && (
          <Text>
            {t('hintsLast')} <TimeText at={hints.lastAt} exact />
          </Text>
        )}
        {mayChange && (
          <Group gap="xs">
            <SmallAction onClick={() => open(NewAddress)} label={t(hints.isOn ? 'hintsReplace' : 'hintsCreate')} />
            {hints.isOn && signing.includes(provider) && (
              <SmallAction onClick={() => open(SigningSecret)} label={t('hintsSecret')} />
            )}
            {hints.isOn && <SmallAction onClick={() => open(EndAddress)} label={t('hintsEnd')} />}
          </Group>
        )}
      </Stack>
    </Section>
  );
}
