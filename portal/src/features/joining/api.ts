import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Campaign,
  Invitation,
  InvitationsQuery,
  InviteBody,
  Invited,
  InvitePreview,
  PrintBody,
  Printed,
  Reminded,
  Selection,
} from '../../../../src/features/joining/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { get, type Page, post, type Query } from '../../app/api/request.ts';

const touched = ['joining', 'employees', 'overview', 'activity'];

/** Fetches how far the invitations have got. */
export const useCampaign = () => useGet<Campaign>(['joining', 'campaign'], '/joining');

/** Fetches a page of invitations. The page before stays until it has arrived. */
export const useInvitations = (query: Query<InvitationsQuery>) =>
  useQuery({
    queryKey: ['joining', 'invitations', query],
    queryFn: ({ signal }) => get<Page<Invitation>, InvitationsQuery>('/joining/invitations', { query, signal }),
    placeholderData: keepPreviousData,
  });

/** Fetches who of a selection would be invited. */
export const useInvitePreview = (body: Selection) =>
  useQuery({
    queryKey: ['joining', 'preview', body],
    queryFn: ({ signal }) => post<InvitePreview, Selection>('/joining/invitations/preview', body, signal),
    staleTime: 0,
    gcTime: 0,
  });

export const useInvite = () => usePost<Invited, InviteBody>('/joining/invitations', touched);

export const useRemind = () => usePost<Reminded, Selection>('/joining/reminders', touched);

/** Prints letters with codes. A file has a limited number; the next one continues after it. */
export const usePrintInvitations = () => usePost<Printed, PrintBody>('/joining/letters', touched);
