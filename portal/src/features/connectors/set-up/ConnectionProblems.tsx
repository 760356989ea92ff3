import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ConnectionCheck } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { texts } from './texts.ts';

type Problem = ConnectionCheck['problems'][number];

/** Returns a headline for what the service explains, or undefined if its sentence needs none. */
function useHeadline(provider: string) {
  const t = useTexts(texts);
  return ({ code, what }: Problem): string | undefined => {
    if ((code === 'permission-missing' || code === 'attribute-withheld') && what !== null)
      return t(code, { provider, what });
    return (code === 'unreachable' || code === 'rate-limited') && what === null ? t(code, { provider }) : undefined;
  };
}

/** Names everything that is missing, as the HR system names it. */
export function ConnectionProblems({ problems, provider, note }: Props) {
  const t = useTexts(texts);
  const headlineOf = useHeadline(provider);
  const isMissing = problems.every(({ what }) => what !== null);
  return (
    <Alert
      color={isMissing ? 'orange' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      role="alert"
      {...(isMissing ? { title: t('checkProblems', { count: problems.length }) } : {})}
    >
      <List size="sm" spacing={6} listStyleType={problems.length > 1 ? 'disc' : 'none'}>
        {problems.map((problem) => {
          const headline = headlineOf(problem);
          const explanation = <MessageText message={problem.message} detail={problem.detail} />;
          return (
            <List.Item key={`${problem.code} ${problem.what}`} style={{ overflowWrap: 'anywhere' }}>
              {headline ?? explanation}
              {headline !== undefined && (
                <Text size="xs" c="dimmed">
                  {explanation}
                </Text>
              )}
            </List.Item>
          );
        })}
      </List>
      {note !== undefined && (
        <Text size="sm" mt="xs">
          {note}
        </Text>
      )}
    </Alert>
  );
}

interface Props {
  problems: readonly Problem[];
  /** What people call the HR system. */
  provider: string;
  /** What to do about all of them. */
  note?: string;
}
