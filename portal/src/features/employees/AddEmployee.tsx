import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { DateField } from '../../ui/DateField.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useAddEmployee } from './api.ts';
import { texts } from './texts.ts';

const written = ['firstName', 'lastName', 'email', 'hrId'] as const;
const nothing = { firstName: '', lastName: '', email: '', hrId: '' };
const noDates: { dateOfBirth: string | null; startDate: string | null } = { dateOfBirth: null, startDate: null };

/** Adds an employee who is in no roster. */
export function AddEmployee() {
  const t = useTexts(texts);
  const common = useCommonTexts();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [values, setValues] = useState(nothing);
  const [dates, setDates] = useState(noDates);
  const [subscribe, setSubscribe] = useState(false);
  const add = useAddEmployee();
  const close = () => {
    setOpened(false);
    setValues(nothing);
    setDates(noDates);
    setSubscribe(false);
    add.reset();
  };
  const isComplete = [values.firstName, values.lastName, values.email].every((value) => value.trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...values, hrId: values.hrId.trim() || null, ...dates, subscribe };
    if (isComplete) add.mutate(body, { onSuccess: ({ id }) => navigate(`/employees/${id}`) });
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {t('addEmployee')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('addEmployee')}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{t('addHint')}</Text>
            {written.map((field) => (
              <TextInput
                key={field}
                label={t(`add_${field}`)}
                value={values[field]}
                onChange={(event) => setValues({ ...values, [field]: event.currentTarget.value })}
                maxLength={254}
                autoComplete="off"
              />
            ))}
            <Group grow>
              <DateField
                label={t('add_dateOfBirth')}
                value={dates.dateOfBirth}
                onChange={(dateOfBirth) => setDates({ ...dates, dateOfBirth })}
              />
              <DateField
                label={t('add_startDate')}
                value={dates.startDate}
                onChange={(startDate) => setDates({ ...dates, startDate })}
              />
            </Group>
            <Checkbox
              label={t('add_subscribe')}
              checked={subscribe}
              onChange={(event) => setSubscribe(event.currentTarget.checked)}
            />
            <ProblemAlert error={add.error} />
            <FormButtons submitLabel={t('addSubmit')} pending={add.isPending} disabled={!isComplete} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
