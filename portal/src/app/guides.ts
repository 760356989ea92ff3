import type { Language } from '../../../src/domain/enums.ts';

/** The guide of each page of the portal, by the beginning of its address. The longest that fits applies. */
export const guides: Readonly<Record<string, string>> = {
  '/': 'portal#what-is-due',
  '/employees': 'subscription-life-cycle',
  '/integrations': 'sync-your-roster',
  '/joining': 'offer-tickets',
  '/agreements': 'contracts',
  '/documents': 'portal#documents',
  '/billing': 'subscription-life-cycle#what-is-billed',
  '/billing/corrections': 'corrections',
  '/billing/forecast': 'read-a-forecast',
  '/policies': 'change-what-employees-pay',
  '/payroll': 'payroll',
  '/invoices': 'invoices',
  '/month-end': 'payroll#month-end',
  '/issuer': 'connect-an-issuer',
  '/keys': 'quick-start-curl',
  '/requests': 'limits',
  '/webhooks': 'webhooks',
  '/events': 'events',
  '/users': 'portal-roles',
  '/settings': 'portal#settings',
  '/sso': 'single-sign-on',
  '/activity': 'portal#who-did-what',
  '/getting-started': 'portal',
  '/kept-mails': 'employee-mails#on-staging',
  '/time-travel': 'portal#time-travel',
  '/account': 'portal#your-account',
  '/prove-address': 'portal#your-account',
};

export function guideOf(pathname: string): string {
  const fits = (prefix: string) => pathname === prefix || pathname.startsWith(`${prefix}/`);
  const [longest = '/'] = Object.keys(guides)
    .filter(fits)
    .sort((a, b) => b.length - a.length);
  return guides[longest] ?? 'portal';
}

/** Returns the address of a guide in the language of the portal. Anchors are those of the English headings. */
export function guideAddress(guide: string, language: Language): string {
  const [name = '', anchor] = guide.split('#');
  return `/docs/${name}?lang=${language}${anchor === undefined ? '' : `#${anchor}`}`;
}
