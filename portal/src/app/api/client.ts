import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { wasShown } from '../../ui/shown-problems.ts';
import { ApiProblem, isSignedOut } from './request.ts';

/** Returns whether an automatic retry may help. */
const isPassing = (error: unknown) => !(error instanceof ApiProblem) || error.status === 503;

/** A page has this long to show why a change failed, beside what was changed. */
const showMillis = 400;

interface Listeners {
  onSignedOut(): void;
  /** Reports a failed change that no page shows. */
  onUnshownProblem?(error: unknown): void;
}

export function createQueryClient({ onSignedOut, onUnshownProblem = () => {} }: Listeners): QueryClient {
  const isOver = (error: unknown, meta: Record<string, unknown> | undefined) =>
    isSignedOut(error) && meta?.public !== true;
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, { meta }) => isOver(error, meta) && onSignedOut() }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => {
        if (isOver(error, meta)) return onSignedOut();
        setTimeout(() => wasShown(error) || onUnshownProblem(error), showMillis);
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < 2 && isPassing(error) },
      mutations: { retry: false },
    },
  });
}
