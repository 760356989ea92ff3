import { Alert, Anchor, Badge, Box, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Employee, EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import type { Money } from '../../../../../src/platform/http/schemas.ts';
import { useAbility, useMe } from '../../../app/api/me.ts';
import { at, pathTo } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action, FileIcon, SmallAction } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { ConfirmChange, useDialog } from '../../../ui/Dialog.tsx';
import { Facts } from '../../../ui/Facts.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import type { Icon } from '../../../ui/icon.tsx';
import { IconAlertTriangle, IconBrandApple, IconBrandGoogle, IconFileText, IconQrcode } from '../../../ui/icons.gen.ts';
import { Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { type Column, Rows } from '../../../ui/rows.tsx';
import { DateText, Hint, MoneyText, Small, syncAddress, TimeText } from '../../../ui/text.tsx';
import { useIntegrations } from '../../connectors/api.ts';
import { useLinkEmployee, useUnlinkEmployee } from '../api.ts';
import { isInRoster } from '../by-hand/source.ts';
import { texts as handTexts } from '../by-hand/texts.ts';
import { texts } from './texts.ts';

interface Props<T> {
  items: readonly T[];
  shownAtOnce: number;
  children(shown: readonly T[]): ReactNode;
}

export function Fold<T>({ items, shownAtOnce, children }: Props<T>) {
  const { t } = useReader(texts);
  const [isOpen, setOpen] = useState(false);
  const isLong = items.length > shownAtOnce + 1;
  return (
    <>
      {children(isLong && !isOpen ? items.slice(0, shownAtOnce) : items)}
      {isLong && (
        <Action
          variant="subtle"
          size="compact-sm"
          mt="xs"
          ml={-8}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          label={isOpen ? t('showLess') : t('showAll', { count: items.length })}
        />
      )}
    </>
  );
}

/** Renders the agreement between company and employee: its state, and how it came about. */
export function Agreement({ details: { employee, history } }: { details: EmployeeDetails }) {
  const { t, formats } = useReader(texts);
  const { type, contractSigningStatus: status } = employee.plan;
  const decided = status === 'pending' ? undefined : history.find(({ cause }) => cause === `contract-${status}`);
  return (
    <Section title={t('contract')} aside={status && <StatusBadge of="contract" word={status} />}>
      {status === null && <Hint>{t(type === 'fully-subsidized-plan' ? 'noContract' : 'contractLater')}</Hint>}
      {status === 'pending' && <Hint>{t('pending')}</Hint>}
      {decided && (
        <Text>
          {formats.longDate(decided.knownOn)}: <MessageText message={decided.message} detail={decided.detail} />
        </Text>
      )}
    </Section>
  );
}

export function Ticket({ details: { employee, tickets } }: { details: EmployeeDetails }) {
  const { t, formats } = useReader(texts);
  const { ticket } = employee;
  const wallets = useMe().data?.wallets ?? [];
  const earlier = tickets.filter(({ ticketId }) => ticketId !== ticket?.ticketId);
  const open = (href: string, Picture: Icon, label: string) => (
    <SmallAction
      key={label}
      href={href}
      target="_blank"
      rel="noreferrer"
      leftSection={<Picture size={15} aria-hidden />}
      label={label}
    />
  );
  return (
    <Section title={t('ticket')}>
      {ticket === null ? (
        <Hint>{t('noTicket')}</Hint>
      ) : (
        <Stack gap="sm">
          <Facts
            facts={[
              [
                t('ticketId'),
                <span key="id" className="figures">
                  {ticket.ticketId}
                </span>,
              ],
              [t('valid'), t('span', { from: formats.date(ticket.validFrom), until: formats.date(ticket.validUntil) })],
            ]}
          />
          <Group gap="xs">
            {wallets.length === 0 && open(ticket.links.apple, IconQrcode, t('showTicket'))}
            {wallets.map((wallet) =>
              open(ticket.links[wallet], wallet === 'apple' ? IconBrandApple : IconBrandGoogle, t(wallet)),
            )}
          </Group>
        </Stack>
      )}
      {earlier.length > 0 && (
        <>
          <Small fw={600} mt="md" mb={4}>
            {t('tickets')}
          </Small>
          <Fold items={earlier} shownAtOnce={3}>
            {(shown) => (
              <ul className="plain-list">
                {shown.map(({ ticketId, month }) => (
                  <Text key={ticketId} component="li" className="figures">
                    {formats.month(month)}{' '}
                    <Text span inherit c="dimmed">
                      {ticketId}
                    </Text>
                  </Text>
                ))}
              </ul>
            )}
          </Fold>
        </>
      )}
    </Section>
  );
}

function AddLink({ employeeId }: { employeeId: number }) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { hrId: '' },
    change: useLinkEmployee(employeeId),
    input: ({ hrId }) => hrId.trim(),
    onDone: () => form.reset(),
  });
  return (
    <Box className="no-print" mt="sm">
      <Form of={form}>
        <Group gap="xs" align="flex-end">
          <TextInput {...form.field('hrId', t('addHrId'))} maxLength={255} autoComplete="off" flex={1} />
          <Action
            type="submit"
            variant="default"
            loading={form.isPending}
            disabled={form.values.hrId.trim() === ''}
            label={t('add')}
          />
        </Group>
      </Form>
    </Box>
  );
}

function RemoveLink({ employeeId, hrId }: { employeeId: number; hrId: string }) {
  const { t } = useReader(texts);
  const change = useUnlinkEmployee(employeeId);
  const { show, dialog } = useDialog();
  const ask = () =>
    show((modal) => (
      <ConfirmChange
        {...modal}
        change={change}
        input={hrId}
        done={t('removedHrId', { hrId })}
        title={t('removeHrIdTitle', { hrId })}
        confirmLabel={t('remove')}
        danger
      >
        {t('removeHrIdText')}
      </ConfirmChange>
    ));
  return (
    <>
      <Action size="compact-xs" variant="subtle" className="no-print" onClick={ask} label={t('removeHrId', { hrId })} />
      {dialog}
    </>
  );
}

export function HrLinks({ employee }: { employee: Employee }) {
  const { id: employeeId, hrIntergartionLinks: links } = employee;
  const mayChange = useAbility('decisions');
  const { t, words } = useReader(texts);
  const integrations = useIntegrations().data;
  const nameOf = (id: number) =>
    integrations?.find((one) => one.id === id)?.name ?? t('integration', { id: String(id) });
  return (
    <Section title={t('hrLinks')}>
      {links.length === 0 && <Hint>{t('noHrLinks')}</Hint>}
      <Stack component="ul" gap="sm" className="plain-list">
        {links.map(({ type, hrId, hrIntegrationId, lastSyncId, lastSynced }) => (
          <li key={`${type} ${hrIntegrationId} ${hrId}`}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {hrId}
            </Text>
            {hrIntegrationId === null ? (
              <Group gap="xs">
                <Text>{words.hrLink[type]}</Text>
                {mayChange && <RemoveLink employeeId={employeeId} hrId={hrId} />}
              </Group>
            ) : (
              <Anchor component={Link} to={`/integrations/${hrIntegrationId}`}>
                {nameOf(hrIntegrationId)}
              </Anchor>
            )}
            {hrIntegrationId !== null && lastSyncId !== null && (
              <Small>
                {t('lastSync')}:{' '}
                <Anchor component={Link} to={syncAddress(hrIntegrationId, lastSyncId)} inherit underline="always">
                  {lastSynced === null ? lastSyncId : <TimeText at={lastSynced} exact />}
                </Anchor>
              </Small>
            )}
          </li>
        ))}
      </Stack>
      {mayChange && <AddLink employeeId={employeeId} />}
    </Section>
  );
}

/** Loaded when it is opened: it needs a calendar. */
const CorrectModal = lazy(async () => ({ default: (await import('../../corrections/CorrectModal.tsx')).CorrectModal }));
const RemoveAbsence = lazy(async () => ({ default: (await import('../by-hand/ByHand.tsx')).RemoveAbsence }));

/** Renders the absences. Those that users have entered are marked, and can be removed. */
export function Absences({ details }: { details: EmployeeDetails }) {
  const { t, formats } = useReader(texts);
  const { t: hand } = useReader(handTexts);
  const mayChange = useAbility('decisions');
  const { show, dialog } = useDialog();
  const { absences } = details;
  const removable = (absence: EmployeeDetails['absences'][number]) =>
    mayChange && (absence.byHand || (absence.approved && !isInRoster(details)));
  return (
    <Section title={t('absences')}>
      {dialog}
      {absences.length === 0 && <Hint>{t('noAbsences')}</Hint>}
      <Fold items={absences.toReversed()} shownAtOnce={5}>
        {(shown) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {shown.map((absence) => (
              <Group
                key={`${absence.startDate} ${absence.endDate} ${absence.approved}`}
                component="li"
                justify="space-between"
                gap="xs"
              >
                <Text className="figures">
                  {formats.date(absence.startDate)} –{' '}
                  {absence.endDate === null ? t('openEnd') : formats.date(absence.endDate)}
                </Text>
                <Group gap="xs">
                  {absence.byHand ? (
                    <Badge color="grape">{hand('byHand')}</Badge>
                  ) : (
                    <Badge color={absence.approved ? 'teal' : 'gray'}>
                      {t(absence.approved ? 'approved' : 'notApproved')}
                    </Badge>
                  )}
                  {removable(absence) && (
                    <SmallAction
                      label={t('remove')}
                      aria-label={hand('removeAbsence', { from: formats.date(absence.startDate) })}
                      onClick={() =>
                        show((modal) => (
                          <Suspense>
                            <RemoveAbsence {...modal} details={details} absence={absence} />
                          </Suspense>
                        ))
                      }
                    />
                  )}
                </Group>
              </Group>
            ))}
          </Stack>
        )}
      </Fold>
    </Section>
  );
}

const shownAtOnce = 6;

export function Documents({ documents, employee }: Pick<EmployeeDetails, 'documents' | 'employee'>) {
  const { t } = useReader(texts);
  const mayDownload = useAbility('documents');
  const all = documents.length > 0 && (
    <Anchor component={Link} to={`/documents?employeeId=${employee.id}`} className="no-print">
      {t('allDocuments')}
    </Anchor>
  );
  return (
    <Section title={t('documents')} aside={all}>
      {documents.length === 0 && <Hint>{t('noDocuments')}</Hint>}
      <Fold items={documents} shownAtOnce={shownAtOnce}>
        {(shown) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {shown.map(({ id, documentName, documentFileType, downloadable, createdAt }) => (
              <Group key={id} component="li" justify="space-between" gap="xs" wrap="nowrap">
                <Group gap="xs" wrap="nowrap" miw={0}>
                  <IconFileText size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
                  <div>
                    <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {documentName}
                    </Text>
                    <Small>
                      {documentFileType.toUpperCase()} · <TimeText at={createdAt} exact />
                    </Small>
                  </div>
                </Group>
                {mayDownload && downloadable ? (
                  <FileIcon label={t('download')} name={documentName} href={pathTo(at`/documents/${id}/download`)} />
                ) : (
                  !downloadable && <Small ta="right">{t(documentFileType === 'pdf' ? 'preparing' : 'onlyPdf')}</Small>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Fold>
    </Section>
  );
}

type Charge = EmployeeDetails['charges'][number];

/** Renders what the tickets cost, and who pays for them. */
export function Costs({ details: { employee, charges, lateCharges, planChange } }: { details: EmployeeDetails }) {
  const { t, words, formats } = useReader(texts);
  const { plan, subscription } = employee;
  const { employeeContributionAmount: share } = plan;
  const money = (header: string, of: (charge: Charge) => Money | null): Column<Charge> => ({
    header,
    align: 'right',
    render: (charge) => <MoneyText money={of(charge)} />,
  });
  const columns: Column<Charge>[] = [
    {
      header: t('month'),
      render: ({ billing, corrects, reason, message }) => (
        <>
          <Anchor component={Link} to={`/billing/${billing.period}`} inherit>
            {formats.month(billing.period)}
          </Anchor>
          {corrects && (
            <Small className="breakable">
              {t('correction', { period: formats.month(corrects.period) })}{' '}
              {message === null ? reason : <MessageText message={message} />}
            </Small>
          )}
        </>
      ),
    },
    { header: t('type'), wideOnly: true, render: ({ charge }) => words.charge[charge.type] },
    { ...money(t('company'), ({ charge }) => charge.plan?.companyAmount ?? null), wideOnly: true },
    money(t('employee'), ({ charge }) => charge.plan?.employeeAmount ?? null),
    { header: t('gross'), align: 'right', render: ({ billing }) => <MoneyText money={billing.overall} strong /> },
  ];
  const mayCorrect = useAbility('corrections');
  const { show, dialog } = useDialog();
  // Charges are listed newest first.
  const months = [
    ...new Set(charges.filter(({ corrects }) => corrects === null).map(({ billing }) => billing.period)),
  ].toReversed();
  const choice = { employeeId: employee.id, months };
  const reverse = mayCorrect && months.length > 0 && (
    <SmallAction
      label={t('reverseCharges')}
      onClick={() =>
        show((props) => (
          <Suspense>
            <CorrectModal {...props} choice={choice} initialReason="left" />
          </Suspense>
        ))
      }
    />
  );
  return (
    <Section title={t('money')} aside={reverse}>
      {dialog}
      {lateCharges.map((message) => (
        <Alert key={message.key} color="orange" icon={<IconAlertTriangle size={18} />} title={t('late')} mb="md">
          <MessageText message={message} />
        </Alert>
      ))}
      <Facts
        mb="md"
        facts={[
          [t('plan'), words.plan[plan.type]],
          share !== null && [t('share'), <MoneyText key="share" money={share} />],
          planChange !== null && [
            t('newPlan'),
            t('newPlanFrom', {
              date: formats.date(planChange.from),
              plan: words.plan[planChange.planType],
              amount: planChange.employeeContributionAmount?.label ?? '–',
            }),
          ],
          subscription.cancelledAt === null &&
            subscription.startAt !== null && [t('startAt'), <DateText key="start" date={subscription.startAt} />],
        ]}
      />
      {charges.length === 0 ? (
        <Hint>{t('noCharges')}</Hint>
      ) : (
        <Fold items={charges} shownAtOnce={shownAtOnce}>
          {(shown) => (
            <Table.ScrollContainer minWidth={0} type="native">
              <Rows label={t('charges')} rows={shown} rowKey={({ id }) => id} columns={columns} isQuiet />
            </Table.ScrollContainer>
          )}
        </Fold>
      )}
    </Section>
  );
}
