import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { FindQuery, Found } from '../../../../../src/portal/contract.ts';
import { syncAddress } from '../../../ui/text.tsx';
import { useMe } from '../../api/me.ts';
import { get } from '../../api/request.ts';
import { useReader } from '../../i18n/reader.ts';
import { usePageGroups } from '../pages.ts';
import { texts } from './texts.ts';

export interface Item {
  to: string;
  title: string;
  /** Tells records with the same title apart. */
  detail?: string;
}

export interface ItemGroup {
  name: string;
  items: Item[];
}

const requestId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isIn = (title: string, text: string) => title.toLowerCase().includes(text.toLowerCase());

/** Returns the pages that this user sees in menus and whose name contains the text. */
function usePages(text: string): Item[] {
  const { t } = useReader();
  const pages = usePageGroups().flatMap((group) => group.pages.filter(({ isOutside }) => !isOutside));
  const listed = pages.map(({ name, to }) => ({ to, title: t(name) }));
  return [...listed, { to: '/account', title: t('account') }].filter(({ title }) => isIn(title, text));
}

/** Finds records whose name or number contains the text. Finds nothing if it is empty. */
const useFind = (text: string) =>
  useQuery({
    queryKey: ['find', text],
    queryFn: text === '' ? skipToken : ({ signal }) => get<Found, FindQuery>('/find', { query: { text }, signal }),
    placeholderData: keepPreviousData,
  });

/** Returns what the palette offers for the text, in groups. Groups without items are left out. */
export function useItems(text: string): { groups: ItemGroup[]; isLoading: boolean } {
  const { t, words, formats } = useReader(texts);
  const maySeeRequests = useMe().data?.user.abilities.includes('keys') === true;
  const found = useFind(text);
  const none: Found = { employees: [], syncs: [], keys: [], invoices: [] };
  const { employees, syncs, keys, invoices } = (text === '' ? none : found.data) ?? none;
  const employeeItems = employees.map(({ id, name, email, status }) => ({
    to: `/employees/${id}`,
    title: name,
    detail: `${email} · ${words.subscriptionStatus[status]}`,
  }));
  const all = { to: `/employees?search=${encodeURIComponent(text)}`, title: t('allEmployees', { text }) };
  const request = { to: `/requests?requestId=${text.toLowerCase()}`, title: t('request', { id: text }) };
  const groups: ItemGroup[] = [
    { name: t('requests'), items: maySeeRequests && requestId.test(text) ? [request] : [] },
    { name: t('employees'), items: employeeItems.length > 1 ? [...employeeItems, all] : employeeItems },
    { name: t('pages'), items: usePages(text) },
    {
      name: t('syncs'),
      items: syncs.map(({ hrIntegrationId, syncId, state, acceptedAt }) => ({
        to: syncAddress(hrIntegrationId, syncId),
        title: syncId,
        detail: `${words.syncState[state]} · ${formats.time(acceptedAt)}`,
      })),
    },
    {
      name: t('keys'),
      items: keys.map(({ username, name }) => ({ to: `/keys/${username}`, title: name, detail: username })),
    },
    {
      name: t('invoices'),
      items: invoices.map(({ number, period }) => ({ to: '/invoices', title: number, detail: formats.month(period) })),
    },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isLoading: found.isFetching };
}
