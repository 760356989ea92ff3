import { useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * Runs a change, then refetches everything that it may have touched. `touches` lists the first words of the query keys.
 */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, touches: readonly string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Some responses are secrets, so nothing of them is stored after the form is closed.
    gcTime: 0,
    onSuccess: () => Promise.all(touches.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
