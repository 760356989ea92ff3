import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { FindQuery, Found } from '../../../../src/portal/contract.ts';
import { get } from './request.ts';

/** Finds records whose name or number contains the text. Finds nothing if it is empty. */
export const useFind = (text: string) =>
  useQuery({
    queryKey: ['find', text],
    queryFn: text === '' ? skipToken : ({ signal }) => get<Found, FindQuery>('/find', { query: { text }, signal }),
    placeholderData: keepPreviousData,
  });
