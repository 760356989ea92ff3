import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { NewEndpointSecret, WebhookEndpoint } from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Secret } from '../../../ui/copy.tsx';
import { ConfirmChange, Dialog, type DialogState, SecretDialog, useDialog } from '../../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { WholeNumberInput } from '../../../ui/fields.tsx';
import {
  IconAlertTriangle,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPower,
  IconRepeat,
  IconSend,
  IconTrash,
} from '../../../ui/icons.gen.ts';
import { Page, Section } from '../../../ui/layout.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Query } from '../../../ui/Query.tsx';
import { Small } from '../../../ui/text.tsx';
import {
  useDeleteEndpoint,
  useEndpoint,
  useReplayEvents,
  useRotateSecret,
  useSendTestEvent,
  useSetEndpointState,
  useUpdateEndpoint,
} from '../api.ts';
import { About, EndpointForm, healthOf, LastDay } from '../endpoint.tsx';
import { texts as listTexts } from '../texts.ts';
import { Deliveries, DeliveryModal, TestResult } from './Deliveries.tsx';
import { texts } from './texts.ts';

const reasons = { manual: 'disabledManual', gone: 'disabledGone', failing: 'disabledFailing' } as const;

/** Renders why an endpoint is disabled, or that its requests fail, above everything else. */
function StateNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t, formats } = useReader(texts);
  const mayChange = useAbility('webhooks');
  const change = useSetEndpointState(endpoint.id);
  const { disabledReason, failingSince } = endpoint;
  if (disabledReason !== null) {
    const isOwnDecision = disabledReason === 'manual';
    return (
      <Alert
        color={isOwnDecision ? 'gray' : 'red'}
        icon={isOwnDecision ? <IconPlayerPause size={18} /> : <IconAlertTriangle size={18} />}
        title={t('disabledTitle')}
      >
        <Stack gap="xs" align="flex-start">
          <Text>{t(reasons[disabledReason])}</Text>
          {mayChange && (
            <Action
              size="compact-sm"
              loading={change.isPending}
              onClick={() => change.mutate({ state: 'enabled' })}
              label={t('enable')}
            />
          )}
          <ProblemAlert error={change.error} inWords={{ 'not-found': t('gone') }} />
        </Stack>
      </Alert>
    );
  }
  if (failingSince === null) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('failingTitle')}>
      <Text>{t('failing', { time: formats.time(failingSince) })}</Text>
    </Alert>
  );
}

const range = [1, Number.MAX_SAFE_INTEGER] as const;

/** Sends the events of a range again, after the user has entered it. */
function Replay({ endpointId }: { endpointId: number }) {
  const { t } = useReader(texts);
  const [opened, { open, close }] = useDisclosure(false);
  const [from, setFrom] = useState<number | null>();
  /** Null: no end. Undefined: not a number. */
  const [to, setTo] = useState<number | null | undefined>(null);
  const replay = useReplayEvents(endpointId);
  const isBackwards = from != null && to != null && to < from;
  const input = from == null || to === undefined || isBackwards ? undefined : { from, to };
  return (
    <>
      <Action variant="default" size="sm" icon={IconRepeat} onClick={open} label={t('replay')} />
      <ConfirmChange
        opened={opened}
        onClose={close}
        change={replay}
        input={input ?? { from: 1, to: null }}
        done={({ deliveries }) => t('replayed', { count: deliveries })}
        title={t('replayTitle')}
        confirmLabel={t('redeliver')}
        disabled={input === undefined}
        inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }}
      >
        <Stack>
          <Text>{t('replayText')}</Text>
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

interface ModalProps extends DialogState {
  endpoint: WebhookEndpoint;
}

function EditModal({ endpoint, opened, onClose }: ModalProps) {
  const { t } = useReader(texts);
  const { t: listed } = useReader(listTexts);
  const update = useUpdateEndpoint(endpoint.id);
  const onDone = () => {
    onClose();
    notifyDone(t('saved'));
  };
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={listed('editTitle')}>
      <EndpointForm
        initial={endpoint}
        submitLabel={listed('save')}
        change={update}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  );
}

interface RotateProps {
  endpoint: WebhookEndpoint;
  onCreated(created: NewEndpointSecret): void;
  onCancel(): void;
}

function RotateForm({ endpoint, onCreated, onCancel }: RotateProps) {
  const { t } = useReader(texts);
  const change = useRotateSecret(endpoint.id);
  const form = useChangeForm({ initial: {}, change, input: () => undefined, onDone: onCreated });
  return (
    <Form of={form} submitLabel={t('rotate')} onCancel={onCancel} inWords={{ 'not-found': t('gone') }}>
      <Text>{t('rotateText')}</Text>
    </Form>
  );
}

function RotateModal({ endpoint, ...modal }: ModalProps) {
  const { t } = useReader(texts);
  const { t: listed } = useReader(listTexts);
  return (
    <SecretDialog<NewEndpointSecret>
      {...modal}
      title={t('rotateTitle')}
      form={(onCreated) => <RotateForm endpoint={endpoint} onCreated={onCreated} onCancel={modal.onClose} />}
      formSize="md"
      secretTitle={t('rotatedTitle')}
      hint={listed('rotatedHint')}
      doneLabel={listed('done')}
    >
      {({ secret }) => <Secret label={listed('secret')} value={secret} once />}
    </SecretDialog>
  );
}

function DisableModal({ endpoint, ...modal }: ModalProps) {
  const { t } = useReader(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useSetEndpointState(endpoint.id)}
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

function DeleteModal({ endpoint, ...modal }: ModalProps) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  return (
    <ConfirmChange
      {...modal}
      change={useDeleteEndpoint(endpoint.id)}
      input={undefined}
      done={t('deleted')}
      onDone={() => void navigate('/webhooks', { replace: true })}
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      inWords={{ 'not-found': t('gone') }}
      danger
    >
      {t('deleteText')}
    </ConfirmChange>
  );
}

interface Props {
  endpoint: WebhookEndpoint;
  onTest(): void;
  isTesting: boolean;
}

/** Renders the buttons of an endpoint, for those who may change it. */
function Actions({ endpoint, onTest, isTesting }: Props) {
  const { t } = useReader(texts);
  const { show, dialog } = useDialog();
  const open = (Modal: typeof EditModal) => () => show((modal) => <Modal endpoint={endpoint} {...modal} />);
  const isEnabled = endpoint.state === 'enabled';
  return (
    <>
      {isEnabled && <Action icon={IconSend} onClick={onTest} loading={isTesting} label={t('test')} />}
      <ActionMenu label={t('more')} variant="default" size={36}>
        <MenuAction icon={IconPencil} label={t('edit')} onClick={open(EditModal)} />
        <MenuAction icon={IconKey} label={t('rotate')} onClick={open(RotateModal)} />
        {isEnabled && <MenuAction icon={IconPower} label={t('disable')} onClick={open(DisableModal)} />}
        <MenuAction icon={IconTrash} label={t('delete')} onClick={open(DeleteModal)} isDangerous />
      </ActionMenu>
      {dialog}
    </>
  );
}

function Content({ endpoint, testSequence, onTestClosed }: ContentProps) {
  const { t } = useReader(texts);
  const mayChange = useAbility('webhooks');
  const { show, dialog } = useDialog();
  const showDelivery = (sequence: number) =>
    show((modal) => <DeliveryModal endpoint={endpoint} sequence={sequence} {...modal} />);
  return (
    <>
      <StateNotice endpoint={endpoint} />
      {testSequence !== undefined && (
        <TestResult
          key={testSequence}
          endpointId={endpoint.id}
          sequence={testSequence}
          onShow={() => showDelivery(testSequence)}
          onClose={onTestClosed}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <About endpoint={endpoint} />
        <Section title={t('lastDay')}>
          <LastDay endpointId={endpoint.id} hours={endpoint.lastDay} height={120} />
        </Section>
      </SimpleGrid>
      <Deliveries
        endpointId={endpoint.id}
        onShow={showDelivery}
        aside={mayChange && endpoint.state === 'enabled' && <Replay endpointId={endpoint.id} />}
      />
      {dialog}
    </>
  );
}

interface ContentProps {
  endpoint: WebhookEndpoint;
  /** The test event that was sent last. */
  testSequence: number | undefined;
  onTestClosed(): void;
}

export function Component() {
  const { t } = useReader(texts);
  const id = Number(useParams().id);
  const query = useEndpoint(id);
  const { data: endpoint } = query;
  const mayChange = useAbility('webhooks');
  const test = useSendTestEvent(id);
  const parent = { title: t('webhooks'), to: '/webhooks' };
  return (
    <Page
      title={endpoint ? endpoint.description || new URL(endpoint.url).host : t('title')}
      parents={[parent]}
      aside={endpoint && <StatusBadge of="endpointHealth" word={healthOf(endpoint)} />}
      actions={
        mayChange &&
        endpoint && <Actions endpoint={endpoint} onTest={() => test.mutate(undefined)} isTesting={test.isPending} />
      }
    >
      <ProblemAlert error={test.error} inWords={{ 'webhook-disabled': t('isDisabled'), 'not-found': t('gone') }} />
      <Query of={query} parent={parent} rows={10}>
        {(one) => <Content endpoint={one} testSequence={test.data?.sequence} onTestClosed={test.reset} />}
      </Query>
    </Page>
  );
}
