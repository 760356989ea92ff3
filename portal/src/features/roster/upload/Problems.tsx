import { Alert, Card, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { ApiProblem } from '../../../app/api/request.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useMessages } from '../../../app/i18n/messages.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { downloadCsv } from '../../../ui/export.tsx';
import { IconAlertTriangle, IconDownload } from '../../../ui/icons.gen.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { Small } from '../../../ui/text.tsx';
import { texts } from './texts.ts';

/** Renders a location in the file. It may be long, so it can break between its parts. */
const Place = ({ text }: { text: string }) =>
  text.split(/(?=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one location never change.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

/** Returns how many rows have errors. 0 if they cannot be left out: not all errors are known, or some are not in a row. */
function rowsToSkip({ errors, errorCount }: ApiProblem): number {
  const rows = errors.map(({ pointer = '', code }) => (code === 'columns' ? undefined : /^row \d+/.exec(pointer)?.[0]));
  return errorCount > errors.length || rows.includes(undefined) ? 0 : new Set(rows).size;
}

/** More are in the file that the user downloads. */
const maxShown = 200;

export function Problems({ problem, onSkip }: { problem: ApiProblem; onSkip(rows: number): void }) {
  const { t } = useReader(texts);
  const { errors, errorCount: count } = problem;
  const { language } = useLanguage();
  const { renderMessage } = useMessages();
  const shown = errors.slice(0, maxShown);
  const rows = rowsToSkip(problem);
  const inWords = (pointer = '') => pointer.replace(/\brow (\d+)/, (_all, row: string) => t('row', { row }));
  /** One row per error, with the row of the file as a number, by which it can be sorted. */
  const download = () =>
    downloadCsv(
      t('problemsName'),
      [
        [t('rowName'), t('place'), t('hrIdName'), t('problem')],
        ...errors.map(({ pointer = '', hrId, message, detail }) => {
          const [, row = '', rest = pointer] = /^row (\d+)(?:, )?(.*)$/.exec(pointer) ?? [];
          return [row, rest, hrId ?? '', renderMessage(message) ?? detail];
        }),
      ],
      language,
    );
  return (
    <Stack gap="sm">
      <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('invalidTitle', { count })} role="alert">
        <Text>
          {t('invalidHint')}
          {count > shown.length && ` ${t('firstProblems', { shown: shown.length, count })}`}
        </Text>
        <SmallAction mt="xs" icon={IconDownload} onClick={download} label={t('downloadProblems')} />
        {rows > 0 && (
          <>
            <Text mt="sm">{t('skipHint')}</Text>
            <SmallAction mt={4} onClick={() => onSkip(rows)} label={t('skip', { count: rows })} />
          </>
        )}
      </Alert>
      <Card padding={0}>
        <Rows
          label={t('invalidTitle', { count })}
          rows={shown}
          rowKey={({ pointer, code, detail }) => `${pointer} ${code} ${detail}`}
          isQuiet
          columns={[
            {
              header: t('place'),
              cell: { className: 'figures', style: { verticalAlign: 'top' } },
              render: ({ pointer, hrId }) => (
                <>
                  <Place text={inWords(pointer)} />
                  {hrId !== undefined && <Small className="breakable">{t('hrIdOf', { hrId })}</Small>}
                </>
              ),
            },
            {
              header: t('problem'),
              cell: { className: 'breakable' },
              render: ({ message, detail }) => <MessageText message={message} detail={detail} />,
            },
          ]}
        />
      </Card>
    </Stack>
  );
}
