import { ActionIcon, Alert, Button, Group, List, Menu, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPower,
  IconRepeat,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Webhook } from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { CopyIcon, Secret, SecretNote } from '../../../ui/copy.tsx';
import { ConfirmChange, ConfirmModal, Dialog } from '../../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { WholeNumberInput } from '../../../ui/fields.tsx';
import { Page, Section } from '../../../ui/layout.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Query } from '../../../ui/Query.tsx';
import { Small, TimeText } from '../../../ui/text.tsx';
import {
  useDeleteWebhook,
  useReplayEvents,
  useRotateWebhookSecret,
  useSetWebhookState,
  useTestWebhook,
  useUpdateWebhook,
  useWebhook,
} from '../api.ts';
import { EndpointForm, healthOf, LastDay } from '../endpoint.tsx';
import { texts as listTexts } from '../texts.ts';
import { Deliveries, DeliveryModal, TestResult } from './Deliveries.tsx';
import { texts } from './texts.ts';

const reasons = { manual: 'disabledManual', gone: 'disabledGone', failing: 'disabledFailing' } as const;

/** Renders why an endpoint is disabled, or that its requests fail, above everything else. */
function StateNotice({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const mayChange = useAbility('webhooks');
  const change = useSetWebhookState(webhook.id);
  const { disabledReason, failingSince } = webhook;
  if (disabledReason !== null) {
    const isOwnDecision = disabledReason === 'manual';
    return (
      <Alert
        color={isOwnDecision ? 'gray' : 'red'}
        icon={isOwnDecision ? <IconPlayerPause size={18} /> : <IconAlertTriangle size={18} />}
        title={t('disabledTitle')}
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t(reasons[disabledReason])}</Text>
          {mayChange && (
            <Button size="compact-sm" loading={change.isPending} onClick={() => change.mutate({ state: 'enabled' })}>
              {t('enable')}
            </Button>
          )}
          <ProblemAlert error={change.error} inWords={{ 'not-found': t('gone') }} />
        </Stack>
      </Alert>
    );
  }
  if (failingSince === null) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('failingTitle')}>
      <Group>
        <Text size="sm">{t('failing', { time: formats.time(failingSince) })}</Text>
      </Group>
    </Alert>
  );
}

const range = [1, Number.MAX_SAFE_INTEGER] as const;

/** Sends the events of a range again, after the user has entered it. */
function Replay({ webhookId }: { webhookId: number }) {
  const t = useTexts(texts);
  const [opened, { open, close }] = useDisclosure(false);
  const [from, setFrom] = useState<number | null>();
  /** Null: no end. Undefined: not a number. */
  const [to, setTo] = useState<number | null | undefined>(null);
  const replay = useReplayEvents(webhookId);
  const isBackwards = from != null && to != null && to < from;
  const input = from == null || to === undefined || isBackwards ? undefined : { from, to };
  return (
    <>
      <Button variant="default" size="sm" leftSection={<IconRepeat size={16} aria-hidden />} onClick={open}>
        {t('replay')}
      </Button>
      <ConfirmChange
        opened={opened}
        onClose={close}
        change={replay}
        input={input ?? { from: 1, to: null }}
        done={({ deliveries }) => t('replayed', { count: deliveries })}
        title={t('replayTitle')}
        confirmLabel={t('replaySubmit')}
        disabled={input === undefined}
        inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }}
      >
        <Stack>
          <Text size="sm">{t('replayText')}</Text>
          <SimpleGrid cols={2}>
            <WholeNumberInput range={range} label={t('from')} number={null} onNumber={setFrom} data-autofocus />
            <WholeNumberInput
              range={range}
              label={t('to')}
              number={null}
              onNumber={setTo}
              isOptional
              error={isBackwards && t('wrongRange')}
            />
          </SimpleGrid>
          <Small>{t('toHint')}</Small>
        </Stack>
      </ConfirmChange>
    </>
  );
}

interface ModalProps {
  webhook: Webhook;
  opened: boolean;
  onClose(): void;
}

function EditModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const listed = useTexts(listTexts);
  const update = useUpdateWebhook(webhook.id);
  const { url, eventTypes, description } = webhook;
  const onDone = () => {
    onClose();
    notifyDone(t('saved'));
  };
  return (
    <Dialog opened={opened} onClose={onClose} onExitTransitionEnd={update.reset} size="lg" title={listed('editTitle')}>
      <EndpointForm
        initial={{ url, eventTypes, description }}
        submitLabel={listed('save')}
        change={update}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function RotateModal({ webhook, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const listed = useTexts(listTexts);
  const rotate = useRotateWebhookSecret(webhook.id);
  const secret = rotate.data?.secret;
  if (secret === undefined) {
    return (
      <ConfirmModal
        opened={opened}
        onClose={() => {
          rotate.reset();
          onClose();
        }}
        onConfirm={() => rotate.mutate(undefined)}
        title={t('rotateTitle')}
        confirmLabel={t('rotate')}
        pending={rotate.isPending}
        error={rotate.error}
        inWords={{ 'not-found': t('gone') }}
      >
        {t('rotateText')}
      </ConfirmModal>
    );
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={rotate.reset}
      size="lg"
      title={t('rotatedTitle')}
      isPinned
    >
      <SecretNote hint={listed('rotatedHint')} doneLabel={listed('done')} onDone={onClose}>
        <Secret label={listed('secret')} value={secret} once />
      </SecretNote>
    </Dialog>
  );
}

function DisableModal({ webhook, ...modal }: ModalProps) {
  const t = useTexts(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useSetWebhookState(webhook.id)}
      input={{ state: 'disabled' }}
      done={t('disabled')}
      title={t('disableTitle')}
      confirmLabel={t('disable')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      {t('disableText')}
    </ConfirmChange>
  );
}

function DeleteModal({ webhook, ...modal }: ModalProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  return (
    <ConfirmChange
      {...modal}
      change={useDeleteWebhook(webhook.id)}
      input={undefined}
      done={t('deleted')}
      onDone={() => void navigate('/webhooks', { replace: true })}
      title={t('deleteTitle')}
      confirmLabel={t('remove')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      {t('deleteText')}
    </ConfirmChange>
  );
}

interface Props {
  webhook: Webhook;
  onTest(): void;
  isTesting: boolean;
}

/** Renders the buttons of an endpoint, for those who may change it. */
function Actions({ webhook, onTest, isTesting }: Props) {
  const t = useTexts(texts);
  const [editing, edit] = useDisclosure(false);
  const [rotating, rotate] = useDisclosure(false);
  const [disabling, disable] = useDisclosure(false);
  const [deleting, remove] = useDisclosure(false);
  const isEnabled = webhook.state === 'enabled';
  return (
    <>
      {isEnabled && (
        <Button leftSection={<IconSend size={16} aria-hidden />} onClick={onTest} loading={isTesting}>
          {t('test')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={rotate.open}>
            {t('rotate')}
          </Menu.Item>
          {isEnabled && (
            <Menu.Item leftSection={<IconPower size={16} aria-hidden />} onClick={disable.open}>
              {t('disable')}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditModal webhook={webhook} opened={editing} onClose={edit.close} />
      <RotateModal webhook={webhook} opened={rotating} onClose={rotate.close} />
      <DisableModal webhook={webhook} opened={disabling} onClose={disable.close} />
      <DeleteModal webhook={webhook} opened={deleting} onClose={remove.close} />
    </>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const { id, url, eventTypes, description, createdAt, previousSecretUntil } = webhook;
  const events = (
    <List size="sm" listStyleType="none">
      {eventTypes.map((type) => (
        <List.Item key={type}>{words.eventType[type]}</List.Item>
      ))}
    </List>
  );
  const facts: Fact[] = [
    [
      t('url'),
      <Group key="url" gap={4} component="span" wrap="nowrap" align="flex-start">
        <span style={{ overflowWrap: 'anywhere' }}>{url}</span>
        <CopyIcon value={url} />
      </Group>,
    ],
    [t('id'), String(id)],
    ...(description === '' ? [] : [[t('note'), description] as const]),
    [t('events'), eventTypes.length === 0 ? t('allEvents') : events],
    [t('created'), <TimeText key="at" at={createdAt} exact isRealTime />],
    ...(previousSecretUntil === null
      ? []
      : [[t('previousSecret'), t('validUntil', { time: formats.time(previousSecretUntil) })] as const]),
  ];
  return <Facts title={t('about')} facts={facts} labelWidth={130} />;
}

/** Stores the delivery, so that the modal still shows it while it closes. */
function useDeliveryModal() {
  const [sequence, setSequence] = useState<number>();
  const [opened, { open, close }] = useDisclosure(false);
  const show = (next: number) => {
    setSequence(next);
    open();
  };
  return { sequence, opened, show, close };
}

function Content({ webhook, testSequence, onTestClosed }: WebhookPageProps) {
  const t = useTexts(texts);
  const mayChange = useAbility('webhooks');
  const modal = useDeliveryModal();
  return (
    <>
      <StateNotice webhook={webhook} />
      {testSequence !== undefined && (
        <TestResult
          key={testSequence}
          webhookId={webhook.id}
          sequence={testSequence}
          onShow={() => modal.show(testSequence)}
          onClose={onTestClosed}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <About webhook={webhook} />
        <Section title={t('lastDay')}>
          <LastDay webhookId={webhook.id} hours={webhook.lastDay} height={120} />
        </Section>
      </SimpleGrid>
      <Deliveries
        webhookId={webhook.id}
        onShow={modal.show}
        aside={mayChange && webhook.state === 'enabled' && <Replay webhookId={webhook.id} />}
      />
      {modal.sequence !== undefined && (
        <DeliveryModal webhook={webhook} sequence={modal.sequence} opened={modal.opened} onClose={modal.close} />
      )}
    </>
  );
}

interface WebhookPageProps {
  webhook: Webhook;
  /** The test event that was sent last. */
  testSequence: number | undefined;
  onTestClosed(): void;
}

export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams().id);
  const query = useWebhook(id);
  const { data: webhook } = query;
  const mayChange = useAbility('webhooks');
  const test = useTestWebhook(id);
  const parent = { title: t('webhooks'), to: '/webhooks' };
  return (
    <Page
      title={webhook ? webhook.description || new URL(webhook.url).host : t('title')}
      parents={[parent]}
      aside={webhook && <StatusBadge of="webhookHealth" word={healthOf(webhook)} />}
      actions={
        mayChange &&
        webhook && <Actions webhook={webhook} onTest={() => test.mutate(undefined)} isTesting={test.isPending} />
      }
    >
      <ProblemAlert error={test.error} inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }} />
      <Query of={query} parent={parent} rows={10}>
        {(one) => <Content webhook={one} testSequence={test.data?.sequence} onTestClosed={test.reset} />}
      </Query>
    </Page>
  );
}
