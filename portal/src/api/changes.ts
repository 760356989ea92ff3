import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change, after which everything that it may have touched is read again: named by the first words of the query keys. */
export function useChange<Input, Output>(change: (input: Input) => Promise<Output>, touches: readonly string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Some answers are secrets: nothing of them stays when the form that asked is gone.
    gcTime: 0,
    onSuccess: () => Promise.all(touches.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
