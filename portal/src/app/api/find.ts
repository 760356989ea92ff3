import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { find } from './operations.gen.ts';

/** Finds records whose name or number contains the text. Finds nothing if it is empty. */
export const useFind = (text: string) =>
  useQuery({
    queryKey: ['find', text],
    queryFn: text === '' ? skipToken : ({ signal }) => find({ text }, signal),
    placeholderData: keepPreviousData,
  });
