import type { Ability } from '../../../../src/domain/roles.ts';
import {
  IconActivity,
  IconBook2,
  IconCalendarCheck,
  IconClockPlay,
  IconFileInvoice,
  IconFileSpreadsheet,
  IconFileText,
  IconHome2,
  IconKey,
  IconListSearch,
  IconMailOff,
  IconPlugConnected,
  IconReceiptEuro,
  IconRocket,
  IconScale,
  IconSettings,
  IconShieldLock,
  IconSignature,
  IconTicket,
  IconTimelineEvent,
  IconUserCog,
  IconUserPlus,
  IconUsers,
  IconWebhook,
} from '../../ui/icons.gen.ts';
import { useMayTravel, useMe } from '../api/me.ts';
import type { texts } from '../i18n/shared-texts.ts';

interface Page {
  name: keyof typeof texts;
  to: string;
  icon: typeof IconHome2;
  /** Only users with this ability see the page in menus. */
  ability?: Ability;
  /** Opens in another tab, as no page of the portal. */
  isOutside?: true;
  /** Exists on staging only. */
  isOnStaging?: true;
}

/** All pages that the navigation and the search offer, in the order of the navigation. */
const groups = [
  {
    name: 'dailyWork',
    pages: [
      { name: 'overview', to: '/', icon: IconHome2 },
      { name: 'employees', to: '/employees', icon: IconUsers },
      { name: 'integrations', to: '/integrations', icon: IconPlugConnected },
      { name: 'joining', to: '/joining', icon: IconUserPlus, ability: 'decisions' },
      { name: 'agreements', to: '/agreements', icon: IconSignature, ability: 'decisions' },
      { name: 'documents', to: '/documents', icon: IconFileText },
      { name: 'issuer', to: '/issuer', icon: IconTicket },
    ],
  },
  {
    name: 'money',
    pages: [
      { name: 'monthEnd', to: '/month-end', icon: IconCalendarCheck },
      { name: 'billing', to: '/billing', icon: IconReceiptEuro },
      { name: 'policies', to: '/policies', icon: IconScale, ability: 'policies' },
      { name: 'payroll', to: '/payroll', icon: IconFileSpreadsheet },
      { name: 'invoices', to: '/invoices', icon: IconFileInvoice },
    ],
  },
  {
    name: 'technical',
    pages: [
      { name: 'keys', to: '/keys', icon: IconKey, ability: 'keys' },
      { name: 'requests', to: '/requests', icon: IconListSearch, ability: 'keys' },
      { name: 'webhooks', to: '/webhooks', icon: IconWebhook, ability: 'webhooks' },
      { name: 'events', to: '/events', icon: IconTimelineEvent, ability: 'webhooks' },
      { name: 'reference', to: '/docs/reference', icon: IconBook2, ability: 'keys', isOutside: true },
    ],
  },
  {
    name: 'administration',
    pages: [
      { name: 'users', to: '/users', icon: IconUserCog, ability: 'users' },
      { name: 'settings', to: '/settings', icon: IconSettings, ability: 'settings' },
      { name: 'sso', to: '/sso', icon: IconShieldLock, ability: 'settings' },
      { name: 'activity', to: '/activity', icon: IconActivity },
    ],
  },
  {
    name: null,
    pages: [
      { name: 'gettingStarted', to: '/getting-started', icon: IconRocket },
      { name: 'keptMails', to: '/kept-mails', icon: IconMailOff, ability: 'kept-mails', isOnStaging: true },
      { name: 'timeTravel', to: '/time-travel', icon: IconClockPlay, ability: 'time-travel' },
    ],
  },
] as const satisfies readonly { name: keyof typeof texts | null; pages: readonly Page[] }[];

type Group = (typeof groups)[number];
export type PageEntry = Group['pages'][number] & Page;

/** Returns the pages that this user sees in menus. */
export function usePageGroups(): { name: Group['name']; pages: PageEntry[] }[] {
  const abilities = useMe().data?.user.abilities ?? [];
  const mayTravel = useMayTravel();
  const isStaging = useMe().data?.environment === 'staging';
  const isSeen = ({ ability, name, isOnStaging }: PageEntry) =>
    name === 'timeTravel'
      ? mayTravel
      : (ability === undefined || abilities.includes(ability)) && (isStaging || isOnStaging === undefined);
  return groups
    .map(({ name, pages }) => ({ name, pages: (pages as readonly PageEntry[]).filter(isSeen) }))
    .filter(({ pages }) => pages.length > 0);
}
