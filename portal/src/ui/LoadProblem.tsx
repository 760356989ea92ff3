import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ApiProblem } from '../app/api/request.ts';
import { useCommonTexts } from '../app/i18n/common.ts';
import { EmptyState } from './EmptyState.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

interface Props {
  error: unknown;
  onRetry(): void;
  /** The page that lists such items. */
  parent: { title: string; to: string };
}

/** Replaces the content of a page whose item does not exist or could not be read. */
export function LoadProblem({ error, onRetry, parent }: Props) {
  const t = useCommonTexts();
  const isMissing = error instanceof ApiProblem && (error.status === 404 || error.code === 'invalid-parameters');
  if (!isMissing) return <ProblemAlert error={error} onRetry={onRetry} />;
  const action = (
    <Button component={Link} to={parent.to} variant="light">
      {parent.title}
    </Button>
  );
  return <EmptyState icon={IconMapQuestion} title={t('notFoundTitle')} hint={t('notFoundHint')} actions={action} />;
}
