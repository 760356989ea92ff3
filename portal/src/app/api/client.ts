import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem, isSignedOut } from './request.ts';

/** Returns whether an automatic retry may help. */
const isPassing = (error: unknown) => !(error instanceof ApiProblem) || error.status === 503;

export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown, meta: Record<string, unknown> | undefined) => {
    if (isSignedOut(error) && meta?.public !== true) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < 2 && isPassing(error) },
      mutations: { retry: false },
    },
  });
}
