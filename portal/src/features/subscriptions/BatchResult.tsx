import { Group, List, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import type { Batch, BatchItem, Refusals } from '../../../../src/features/subscriptions/batches/contract.ts';
import { at } from '../../app/api/request.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useMessages } from '../../app/i18n/messages.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { writeDate } from '../../ui/csv-line.ts';
import { ExportButton } from '../../ui/export.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Hint } from '../../ui/text.tsx';
import { touched, useBatch, useUndoBatch } from './api.ts';
import { texts } from './texts.ts';

/** Names the first employees of a group and counts the others. */
export function useNames() {
  const { t, formats } = useReader(texts);
  return (named: readonly { name: string }[], employees: number, most = 3): string => {
    const shown = named.slice(0, most).map(({ name }) => name);
    const others = employees - shown.length;
    if (shown.length === 0) return formats.number(employees);
    return others > 0 ? t('names', { names: shown.join(', '), count: formats.number(others) }) : shown.join(', ');
  };
}

/** Renders each reason with those whom it concerns. */
export function RefusalList({ refusals, title }: { refusals: Refusals; title: string }) {
  const { formats } = useReader(texts);
  const nameAll = useNames();
  if (refusals.length === 0) return null;
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <List size="sm" spacing={4}>
        {refusals.map(({ message, employees, named }) => (
          <List.Item key={JSON.stringify(message)}>
            <span className="figures">{formats.number(employees)}</span>
            {': '}
            <MessageText message={message} />
            {named.length > 0 && <Hint>{nameAll(named, employees)}</Hint>}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function ResultExport({ batch: { id } }: { batch: Batch }) {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const { renderMessage } = useMessages();
  const outcomes = { decided: t('decided'), refused: t('notPossible') };
  return (
    <ExportButton<BatchItem>
      path={at`/subscription-batches/${id}/export`}
      query={{}}
      name={`${t('fileName')}-${id}`}
      columns={[
        [t('name'), ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ')],
        [t('email'), ({ email }) => email],
        [t('result'), ({ outcome }) => (outcome ? outcomes[outcome] : t('waiting'))],
        [t('effectiveFrom'), ({ from }) => writeDate(from, language)],
        [t('reason'), ({ message }) => (message ? renderMessage(message) : '')],
      ]}
    />
  );
}

/** Renders how far something about many employees is, then what became of it, with the way back. */
export function BatchResult({ id, onClose }: { id: number; onClose(): void }) {
  const { t, formats } = useReader(texts);
  const client = useQueryClient();
  const [shown, setShown] = useState(id);
  const { data: batch, error } = useBatch(shown);
  const undo = useUndoBatch(shown);
  const isFinished = typeof batch?.finishedAt === 'string';
  useEffect(() => {
    if (!isFinished) return;
    for (const name of touched) void client.invalidateQueries({ queryKey: [name] });
  }, [client, isFinished]);
  const { total = 0, decided = 0, refused = 0 } = batch ?? {};
  const done = decided + refused;
  const progress = t('progress', { done: formats.number(done), total: formats.number(total) });
  const isUndo = batch?.action === 'undo';
  const undoable = isFinished ? batch.undo : null;
  return (
    <Stack>
      <ProblemAlert error={error} />
      <Progress value={(100 * done) / Math.max(1, total)} animated={!isFinished} aria-label={t('progressLabel')} />
      <Text role="status">{isFinished ? t(isUndo ? 'undone' : 'finished', { count: decided }) : progress}</Text>
      {isFinished ? <RefusalList refusals={batch.refusals} title={t('notDone')} /> : <Hint>{t('mayClose')}</Hint>}
      {undoable && <Hint>{t('undoUntil', { day: formats.longDate(undoable.until) })}</Hint>}
      <ProblemAlert error={undo.error} />
      <Group justify="flex-end" gap="xs">
        {undoable && (
          <Action
            variant="default"
            loading={undo.isPending}
            onClick={() =>
              undo.mutate({ confirm: undoable.employees }, { onSuccess: (started) => setShown(started.id) })
            }
            label={t('undo', { count: undoable.employees })}
          />
        )}
        {isFinished && (
          <Suspense>
            <ResultExport batch={batch} />
          </Suspense>
        )}
        <Action onClick={onClose} label={t('close')} />
      </Group>
    </Stack>
  );
}
