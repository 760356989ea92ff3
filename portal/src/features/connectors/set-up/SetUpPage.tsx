import { Card } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import type { Connection, Mapping } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { Page } from '../../../ui/Page.tsx';
import { RoleGate } from '../../../ui/RoleGate.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { useIntegration } from '../api.ts';
import { useConnect, useConnection, useConnectionCheck, useRequestPull, useSetRules } from '../connections.ts';
import { CheckStep } from './CheckStep.tsx';
import { CredentialsStep } from './CredentialsStep.tsx';
import { MappingStep } from './MappingStep.tsx';
import { PreviewStep } from './PreviewStep.tsx';
import { ProviderCards } from './ProviderCards.tsx';
import { useProviderTitle } from './provider-title.ts';
import { ScheduleStep } from './ScheduleStep.tsx';
import { allSteps, type Step, Steps } from './Steps.tsx';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
  connection: Connection;
}

const isStep = (text: string | null): text is Step => (allSteps as readonly string[]).includes(text ?? '');

/** Returns the step in the address, or the first one that has something to do. */
function useStep({ integration, connection }: Props) {
  const [search, setSearch] = useSearchParams();
  const given = search.get('step');
  const first = connection.provider === null || integration.status === 'invalid' ? 'credentials' : 'check';
  const step = isStep(given) && connection.provider !== null ? given : first;
  return { step, goTo: (next: Step) => setSearch({ step: next }) };
}

interface CredentialsProps extends Props {
  onStored(): void;
  onBack(): void;
}

function Credentials({ integration, connection, onStored, onBack }: CredentialsProps) {
  const t = useTexts(texts);
  const titleOf = useProviderTitle();
  const connect = useConnect();
  const [chosen, setChosen] = useState<{ provider: Provider; isDemo: boolean }>();
  const isSetUp = integration.initialConnectionStatus !== 'incomplete';
  const fixed = isSetUp ? connection.provider : null;
  const provider = fixed ?? chosen?.provider;
  if (provider === undefined) {
    return <ProviderCards onChoose={(one, isDemo) => setChosen({ provider: one, isDemo })} />;
  }
  return (
    <CredentialsStep
      key={provider}
      provider={provider}
      isDemo={chosen?.isDemo === true}
      title={titleOf(provider)}
      asksName={false}
      pending={connect.isPending}
      error={connect.error}
      refused={connect.data?.isStored === false ? connect.data : undefined}
      onSubmit={({ credentials }) =>
        connect.mutate(
          { id: integration.id, provider, credentials },
          { onSuccess: ({ isStored }) => isStored && onStored() },
        )
      }
      onBack={() => (fixed === null ? setChosen(undefined) : onBack())}
      {...(integration.status === 'invalid' ? { note: t('reconnectHint') } : {})}
    />
  );
}

/** Leads from the credentials to the schedule. Once the set-up is finished, each step can be changed on its own. */
function SetUp({ integration, connection }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const titleOf = useProviderTitle();
  const { id, name } = integration;
  const { step, goTo } = useStep({ integration, connection });
  const isSetUp = integration.initialConnectionStatus !== 'incomplete';
  const needsDescription = step === 'mapping' || step === 'check';
  const check = useConnectionCheck(id, connection.provider !== null && needsDescription);
  const rules = useSetRules(id);
  const pull = useRequestPull(id);
  const title = connection.provider === null ? '' : titleOf(connection.provider);
  const leave = (message: string) => {
    notifications.show({ color: 'teal', message });
    void navigate(`/integrations/${id}`);
  };
  const saveMapping = (mapping: Mapping) =>
    rules.mutate({ mapping, finish: false }, { onSuccess: () => goTo('preview') });
  const saveSchedule = async (nightlyTime: string, syncNow: boolean) => {
    try {
      await rules.mutateAsync({ nightlyTime, finish: true });
      if (syncNow) await pull.mutateAsync({ kind: 'manual' });
      leave(isSetUp ? t('saved') : t('finished', { name }));
    } catch {
      // The step shows the error.
    }
  };
  return (
    <>
      {!isSetUp && <Steps current={step} />}
      {step === 'credentials' && (
        <Credentials
          integration={integration}
          connection={connection}
          onStored={() => (isSetUp ? leave(t('reconnected', { name })) : goTo('check'))}
          onBack={() => void navigate(`/integrations/${id}`)}
        />
      )}
      {step === 'check' && (
        <CheckStep
          integrationId={id}
          title={title}
          onNext={() => goTo('mapping')}
          onOther={() => goTo('credentials')}
        />
      )}
      {step === 'mapping' &&
        connection.mapping &&
        (check.isPending ? (
          <RowsSkeleton rows={8} />
        ) : (
          <MappingStep
            initial={connection.mapping}
            check={check.data}
            title={title}
            pending={rules.isPending}
            error={rules.error}
            onSave={saveMapping}
            onBack={() => (isSetUp ? void navigate(`/integrations/${id}`) : goTo('check'))}
          />
        ))}
      {step === 'preview' && (
        <PreviewStep
          integrationId={id}
          title={title}
          onNext={() => (isSetUp ? leave(t('saved')) : goTo('schedule'))}
          onMapping={() => goTo('mapping')}
        />
      )}
      {step === 'schedule' && (
        <ScheduleStep
          initial={connection.nightlyTime}
          isLast={!isSetUp}
          pending={rules.isPending || pull.isPending}
          error={rules.error ?? pull.error}
          onSave={(nightlyTime, syncNow) => void saveSchedule(nightlyTime, syncNow)}
          onBack={() => (isSetUp ? void navigate(`/integrations/${id}`) : goTo('preview'))}
        />
      )}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams().id);
  const { data: integration, error, refetch } = useIntegration(id);
  const isPulling = integration?.type === 'hr-integration';
  const connection = useConnection(id, isPulling);
  const parents = [{ title: t('integrations'), to: '/integrations' }];
  const name = integration?.name ?? '';
  const isSetUp = integration !== undefined && integration.initialConnectionStatus !== 'incomplete';
  const titles = { true: t('changeTitle', { name }), false: t('setUpTitle', { name }) };
  const title = integration?.status === 'invalid' ? t('reconnectTitle', { name }) : titles[`${isSetUp}`];
  const parent = { title: name, to: `/integrations/${id}` };
  const problem = error ?? connection.error;
  return (
    <Page title={title} parents={integration ? [...parents, parent] : parents}>
      <RoleGate ability="integrations">
        {problem ? (
          <LoadProblem
            error={problem}
            onRetry={() => void refetch()}
            parent={{ title: t('integrations'), to: '/integrations' }}
          />
        ) : integration && !isPulling ? (
          <Card>
            <EmptyState icon={IconPlugConnectedX} title={t('api')} hint={t('apiHint')} />
          </Card>
        ) : integration && connection.data ? (
          <SetUp integration={integration} connection={connection.data} />
        ) : (
          <RowsSkeleton rows={8} />
        )}
      </RoleGate>
    </Page>
  );
}
