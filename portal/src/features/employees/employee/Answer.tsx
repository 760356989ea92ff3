import { Card, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Decision } from '../../../../../src/domain/subscription/transitions.ts';
import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useMessages } from '../../../app/i18n/messages.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { useDialog } from '../../../ui/Dialog.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { useDecisionTexts } from './decision.tsx';
import { texts } from './texts.ts';

const DecisionModal = lazy(async () => ({ default: (await import('./DecisionModal.tsx')).DecisionModal }));
const InviteModal = lazy(async () => ({ default: (await import('../../joining/InviteModal.tsx')).InviteModal }));
const LinksModal = lazy(async () => ({ default: (await import('../../contracts/LinksModal.tsx')).LinksModal }));

type Step = NonNullable<EmployeeDetails['answer']['nextStep']>;

const decisionOf: Partial<Record<Step, Decision>> = {
  'record-consent': 'contract-accepted',
  subscribe: 'subscribe',
  resume: 'resume',
};

/** Renders the button for what to do next, if the user may do it. */
function NextStep({ details: { employee }, step }: { details: EmployeeDetails; step: Step }) {
  const { t } = useReader(texts);
  const mayDecide = useAbility('decisions');
  const maySync = useAbility('syncs');
  const { show, dialog } = useDialog();
  const { id, firstName, lastName, hrIntergartionLinks: links } = employee;
  const name = `${firstName} ${lastName}`;
  const textsOf = useDecisionTexts(name);
  const decision = decisionOf[step];
  if (step === 'fix-roster') {
    const integrationId = links.find((link) => link.hrIntegrationId !== null)?.hrIntegrationId;
    const to = integrationId == null ? '/integrations' : `/integrations/${integrationId}`;
    return maySync && <Action to={to} label={t('checkRoster')} />;
  }
  const selection = { employeeIds: [id] };
  const label = step === 'invite' ? t('invite') : decision === undefined ? t('sendLink') : textsOf(decision).confirm;
  const ask = () =>
    show((modal) =>
      step === 'invite' ? (
        modal.opened && (
          <Suspense>
            <InviteModal selection={selection} onClose={modal.onClose} />
          </Suspense>
        )
      ) : decision === undefined ? (
        modal.opened && (
          <Suspense>
            <LinksModal isReminder={false} selection={selection} onClose={modal.onClose} />
          </Suspense>
        )
      ) : (
        <Suspense>
          <DecisionModal {...modal} employeeId={id} name={name} decision={decision} />
        </Suspense>
      ),
    );
  return (
    mayDecide && (
      <>
        <Action onClick={ask} label={label} />
        {dialog}
      </>
    )
  );
}

/** Renders whether the employee has a ticket, why, until when, and the next step. Suspends until the texts are loaded. */
export function Answer({ details }: { details: EmployeeDetails }) {
  const { t, formats } = useReader(texts);
  const { renderMessage } = useMessages();
  const { sentence, reasons, nextTicketAt, lastTicket, lastDeduction, nextStep } = details.answer;
  return (
    <Card component="section" aria-label={t('answer')} padding="lg">
      <Stack gap="sm">
        <div>
          <Text size="lg" fw={600}>
            {renderMessage(sentence, formats.longDate)}
          </Text>
          {reasons.map((reason) => (
            <Text key={reason.key}>{renderMessage(reason, formats.longDate)}</Text>
          ))}
        </div>
        {lastTicket && (
          <Facts
            facts={[
              [t('byNextTicket'), nextTicketAt === null ? t('none') : formats.longDate(nextTicketAt)],
              [t('lastTicket'), formats.month(lastTicket)],
              lastDeduction !== null && [t('lastDeduction'), formats.month(lastDeduction)],
            ]}
          />
        )}
        {nextStep && (
          <Group className="no-print">
            <NextStep details={details} step={nextStep} />
          </Group>
        )}
      </Stack>
    </Card>
  );
}
