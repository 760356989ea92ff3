import { Alert, Code, Group, List, Stack, Text } from '@mantine/core';
import { ApiProblem } from '../app/api/request.ts';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import { CopyIcon } from './copy.tsx';
import { IconAlertTriangle } from './icons.gen.ts';
import { MessageText, ProblemText } from './MessageText.tsx';
import { useShown } from './shown-problems.ts';

interface Props {
  /** Nothing is rendered without an error. */
  error: unknown;
  onRetry?: (() => void) | undefined;
  title?: string;
  /** The page's own texts for some error codes, in the user's language. */
  inWords?: Readonly<Record<string, string>> | undefined;
}

const shownErrors = 20;

/** Renders an error in words, with the request id to quote to support. */
export function ProblemAlert({ error, onRetry, title, inWords }: Props) {
  const { t } = useReader();
  useShown(error);
  if (!error) return null;
  const problem = error instanceof ApiProblem ? error : undefined;
  const own: Readonly<Record<string, string>> = { 'missing-role': t('notAllowed'), ...inWords };
  const detail = problem === undefined ? t('offline') : (own[problem.code] ?? <ProblemText problem={problem} />);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={title ?? t('problemTitle')}
      role="alert"
    >
      <Stack gap="xs">
        <Text>{detail}</Text>
        {problem && problem.errors.length > 0 && (
          <List size="sm">
            {problem.errors.slice(0, shownErrors).map(({ pointer, parameter, message, detail: text }) => (
              <List.Item key={`${pointer ?? parameter} ${text}`}>
                <Code>{pointer ?? parameter}</Code> <MessageText message={message} detail={text} />
              </List.Item>
            ))}
          </List>
        )}
        <Group gap="xs">
          {onRetry && <Action size="compact-sm" variant="default" onClick={onRetry} label={t('retry')} />}
          {problem?.requestId && (
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed">
                {t('requestId')} <Code fz="xs">{problem.requestId}</Code>
              </Text>
              <CopyIcon value={problem.requestId} />
            </Group>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
