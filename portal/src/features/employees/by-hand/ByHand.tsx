import '../employee/employee.css';
import { Box, Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CorrectableField } from '../../../../../src/domain/employee.ts';
import type {
  AddedEmployee,
  DecisionPreview,
  EmployeeChangesBody,
  EmployeeDetails,
  NewEmployeeBody,
} from '../../../../../src/features/employees/contract.ts';
import { usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { DateField } from '../../../ui/DateField.tsx';
import { ConfirmChange, Dialog, type DialogState } from '../../../ui/Dialog.tsx';
import { EffectsLine } from '../../../ui/effects/EffectsLine.tsx';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { Hint } from '../../../ui/text.tsx';
import { Effect } from '../employee/DecisionModal.tsx';
import { preview as previewTexts } from '../employee/texts.ts';
import { editableAbsences, useSource } from './source.ts';
import { texts } from './texts.ts';

const touched = ['employees', 'overview', 'activity', 'documents'];
const settleMillis = 300;

/** Renders what entered values would do, once the user stops typing. Nothing while the values are not complete. */
function Preview({ path, body }: { path: string; body: object | undefined }) {
  const { t } = useReader(previewTexts);
  const [settled] = useDebouncedValue(body && JSON.stringify(body), settleMillis);
  const { data } = useQuery({
    queryKey: ['by-hand', path, settled],
    queryFn:
      settled === undefined
        ? skipToken
        : ({ signal }) => post<DecisionPreview, unknown>(`${path}/preview`, JSON.parse(settled), signal),
    placeholderData: keepPreviousData,
    // What is wrong with the values is said when they are sent.
    retry: false,
    gcTime: 0,
  });
  if (body === undefined || data === undefined) return null;
  if (data.changes.length > 0) return <Effect preview={data} />;
  return (
    <Box component="section" aria-label={t('effect')} className="effect">
      <EffectsLine effects={data.effects} />
    </Box>
  );
}

const nobody = {
  firstName: '',
  lastName: '',
  email: '',
  hrId: '',
  personnelNumber: '',
  dateOfBirth: null as string | null,
  startDate: null as string | null,
  subscribe: false,
};

const newEmployee = ({ hrId, personnelNumber, ...values }: typeof nobody): NewEmployeeBody => ({
  ...values,
  hrId: hrId.trim() || null,
  personnelNumber: personnelNumber.trim() || null,
});

export function AddEmployee({ opened, onClose }: DialogState) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const form = useChangeForm({
    initial: nobody,
    change: usePost<AddedEmployee, NewEmployeeBody>('/employees', touched),
    input: newEmployee,
    onDone: ({ id }) => void navigate(`/employees/${id}`),
  });
  const { firstName, lastName, email } = form.values;
  const isIncomplete = [firstName, lastName, email].some((value) => value.trim() === '');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('addEmployee')}>
      <Form of={form} submitLabel={t('add')} disabled={isIncomplete} onCancel={onClose}>
        <Text>{t('addHint')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput {...form.field('firstName', t('firstName'))} maxLength={200} autoComplete="off" />
          <TextInput {...form.field('lastName', t('lastName'))} maxLength={200} autoComplete="off" />
        </SimpleGrid>
        <TextInput
          {...form.field('email', t('email'))}
          description={t('emailHint')}
          maxLength={254}
          autoComplete="off"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput {...form.field('hrId', t('hrId'))} maxLength={255} autoComplete="off" />
          <TextInput {...form.field('personnelNumber', t('personnelNumber'))} maxLength={50} autoComplete="off" />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {(['dateOfBirth', 'startDate'] as const).map((field) => (
            <DateField key={field} {...form.getInputProps(field)} value={form.values[field]} label={t(field)} />
          ))}
        </SimpleGrid>
        <Checkbox {...form.getInputProps('subscribe', { type: 'checkbox' })} label={t('subscribe')} />
        <Preview
          path="/employees"
          body={isIncomplete || !form.values.subscribe ? undefined : newEmployee(form.values)}
        />
      </Form>
    </Dialog>
  );
}

/** What cannot be changed is still to be read. */
const readable = { input: { opacity: 1, color: 'var(--mantine-color-dimmed)' } };

interface Props extends DialogState {
  details: EmployeeDetails;
}

const useChangePath = ({ employee: { id } }: EmployeeDetails) => at`/employees/${id}/changes`;

const nameOf = ({ employee: { firstName, lastName } }: EmployeeDetails) => `${firstName} ${lastName}`;

/** Edits what is known about an employee. What a roster says is shown, and says where to change it. */
export function EditEmployee({ details, opened, onClose }: Props) {
  const { t } = useReader(texts);
  const { employee, rosterFields } = details;
  const name = nameOf(details);
  const path = useChangePath(details);
  const source = useSource(details);
  const initial = {
    firstName: employee.firstName,
    lastName: employee.lastName,
    email: employee.email,
    personnelNumber: details.personnelNumber ?? '',
    group: details.group ?? '',
    dateOfBirth: employee.dateOfBirth,
    startDate: details.startDate,
  };
  const changedOf = (values: typeof initial): EmployeeChangesBody => {
    const changed = Object.entries(values).filter(([field, value]) => value !== initial[field as keyof typeof initial]);
    return Object.fromEntries(changed.map(([field, value]) => [field, value === '' ? null : value]));
  };
  const form = useChangeForm({
    initial,
    change: usePost<DecisionPreview, EmployeeChangesBody>(path, touched),
    input: changedOf,
    onDone() {
      notifyDone(t('saved', { name }));
      onClose();
    },
  });
  const changed = changedOf(form.values);
  const field = (name: Exclude<CorrectableField, 'terminationDate'>) => ({
    ...form.field(name, t(name)),
    ...(rosterFields.includes(name)
      ? { disabled: true, description: t('fromRoster', { source }), styles: readable }
      : {}),
  });
  const text = { maxLength: 200, autoComplete: 'off' } as const;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('editTitle', { name })}>
      <Form of={form} submitLabel={t('save')} disabled={Object.keys(changed).length === 0} onCancel={onClose}>
        {rosterFields.length > 0 && <Text>{t('kept')}</Text>}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput {...field('firstName')} {...text} required />
          <TextInput {...field('lastName')} {...text} required />
        </SimpleGrid>
        <TextInput {...field('email')} {...text} maxLength={254} required />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput {...field('personnelNumber')} {...text} maxLength={50} />
          <TextInput {...field('group')} {...text} maxLength={100} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateField {...field('dateOfBirth')} value={form.values.dateOfBirth} clearable />
          <DateField {...field('startDate')} value={form.values.startDate} clearable />
        </SimpleGrid>
        <Preview path={path} body={changed.startDate === undefined ? undefined : { startDate: changed.startDate }} />
      </Form>
    </Dialog>
  );
}

/** Enters, changes or withdraws the last working day. */
export function EnterExit({ details, opened, onClose }: Props) {
  const { t, formats } = useReader(texts);
  const { terminationDate, rosterFields } = details;
  const name = nameOf(details);
  const path = useChangePath(details);
  const source = useSource(details);
  const form = useChangeForm({
    initial: { terminationDate },
    change: usePost<DecisionPreview, EmployeeChangesBody>(path, touched),
    input: (values) => values,
    onDone() {
      notifyDone(t('saved', { name }));
      onClose();
    },
  });
  const isOfRoster = terminationDate !== null && rosterFields.includes('terminationDate');
  const isChanged = form.values.terminationDate !== terminationDate;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('exitTitle', { name })}>
      {isOfRoster ? (
        <Text>{t('exitFromRoster', { date: formats.date(terminationDate), source })}</Text>
      ) : (
        <Form of={form} submitLabel={t('save')} disabled={!isChanged} onCancel={onClose}>
          <DateField
            {...form.field('terminationDate', t('lastDay'))}
            value={form.values.terminationDate}
            {...(terminationDate === null ? {} : { description: t('noExit') })}
            clearable
          />
          <Preview path={path} body={isChanged ? form.values : undefined} />
          {rosterFields.length > 0 && <Hint>{t('kept')}</Hint>}
        </Form>
      )}
    </Dialog>
  );
}

export function EnterAbsence({ details, opened, onClose }: Props) {
  const { t } = useReader(texts);
  const name = nameOf(details);
  const path = useChangePath(details);
  const withNew = ({ startDate, endDate }: { startDate: string | null; endDate: string | null }) => ({
    absences: [...editableAbsences(details), { startDate: startDate ?? '', endDate }],
  });
  const form = useChangeForm({
    initial: { startDate: null as string | null, endDate: null as string | null },
    change: usePost<DecisionPreview, EmployeeChangesBody>(path, touched),
    input: withNew,
    onDone() {
      notifyDone(t('saved', { name }));
      onClose();
    },
  });
  const { startDate, endDate } = form.values;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('absenceTitle', { name })}>
      <Form of={form} submitLabel={t('save')} disabled={startDate === null} onCancel={onClose}>
        <Text>{t('absenceHint')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateField
            {...form.field('startDate', t('absenceFrom'))}
            value={startDate}
            {...(endDate ? { maxDate: endDate } : {})}
          />
          <DateField
            {...form.field('endDate', t('absenceUntil'))}
            value={endDate}
            clearable
            {...(startDate ? { minDate: startDate } : {})}
          />
        </SimpleGrid>
        <Preview path={path} body={startDate === null ? undefined : withNew(form.values)} />
        {details.rosterFields.length > 0 && <Hint>{t('kept')}</Hint>}
      </Form>
    </Dialog>
  );
}

interface RemoveAbsenceProps extends Props {
  absence: EmployeeDetails['absences'][number];
}

export function RemoveAbsence({ details, absence, ...modal }: RemoveAbsenceProps) {
  const { t, formats } = useReader(texts);
  const path = useChangePath(details);
  const isOther = (one: { startDate: string; endDate: string | null }) =>
    one.startDate !== absence.startDate || one.endDate !== absence.endDate;
  const body = { absences: editableAbsences(details).filter(isOther) };
  const from = formats.date(absence.startDate);
  return (
    <ConfirmChange
      {...modal}
      change={usePost<DecisionPreview, EmployeeChangesBody>(path, touched)}
      input={body}
      done={t('saved', { name: nameOf(details) })}
      title={t('removeAbsenceTitle', { from })}
      confirmLabel={t('remove')}
      danger
    >
      <Preview path={path} body={body} />
    </ConfirmChange>
  );
}

/** Removes an employee who is in no roster. */
export function RemoveEmployee({ details, ...modal }: Props) {
  const { t } = useReader(texts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = useChangePath(details);
  const name = nameOf(details);
  const body = { remove: true };
  return (
    <ConfirmChange
      {...modal}
      // Not the employee, who may no longer exist.
      change={usePost<DecisionPreview, EmployeeChangesBody>(path, ['overview', 'activity'])}
      input={body}
      done={t('removed', { name })}
      onDone={() => {
        void navigate('/employees');
        void client.invalidateQueries({ queryKey: ['employees', 'list'] });
      }}
      title={t('removeTitle', { name })}
      confirmLabel={t('removeEmployee')}
      danger
    >
      <Stack gap="sm">
        <Preview path={path} body={body} />
        <Text>{t('removeText')}</Text>
      </Stack>
    </ConfirmChange>
  );
}
