import { MultiSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type EventType, eventTypes } from '../../../../src/domain/enums.ts';
import type { EndpointSettings } from '../../../../src/features/webhooks/contract.ts';
import { ApiProblem } from '../../app/api/request.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { texts } from './texts.ts';
import { findUrlProblem } from './url-problems.ts';

interface Props {
  initial: EndpointSettings;
  submitLabel: string;
  pending: boolean;
  error: unknown;
  onSubmit(body: EndpointSettings): void;
  onCancel(): void;
}

/** A test event is always sent to the endpoint that is tested. */
const choosable = eventTypes.filter((type) => type !== 'webhook-test');

/** Returns what is wrong with the URL, in the user's language. */
function useUrlProblem(error: unknown): ReactNode {
  const t = useTexts(texts);
  const errors = error instanceof ApiProblem ? error.errors : [];
  const wrong = errors.find(({ pointer }) => pointer === '/url');
  const known = wrong && findUrlProblem(wrong.message.key);
  if (known !== undefined) return t(known);
  return wrong && <MessageText message={wrong.message} detail={wrong.detail} />;
}

/** Renders the settings of an endpoint, of a new one or an existing one. */
export function EndpointForm({ initial, submitLabel, pending, error, onSubmit, onCancel }: Props) {
  const t = useTexts(texts);
  const words = useWords();
  const [url, setUrl] = useState(initial.url);
  const [types, setTypes] = useState<EventType[]>(initial.eventTypes);
  const [note, setNote] = useState(initial.description);
  const urlProblem = useUrlProblem(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) onSubmit({ url: url.trim(), eventTypes: types, description: note.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('url')}
          description={t('urlHint')}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={urlProblem}
          type="url"
          inputMode="url"
          maxLength={2048}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <MultiSelect
          label={t('types')}
          description={t('typesHint')}
          placeholder={types.length === 0 ? t('allEvents') : ''}
          data={choosable.map((value) => ({ value, label: words.eventType[value] }))}
          value={types}
          onChange={(value) => setTypes(value as EventType[])}
          maxDropdownHeight={260}
          clearable
        />
        <TextInput
          label={t('note')}
          description={t('noteHint')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={200}
          autoComplete="off"
        />
        {urlProblem === undefined && <ProblemAlert error={error} inWords={{ 'too-many-webhooks': t('tooMany') }} />}
        <FormButtons submitLabel={submitLabel} pending={pending} disabled={url.trim() === ''} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
