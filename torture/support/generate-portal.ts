import { type TObject, Type } from 'typebox';
import { BillingItemsQuery } from '../../src/billing/schema.ts';
import type { Random } from '../../src/demo/random.ts';
import { EmployeesQuery } from '../../src/employees/schema.ts';
import { SyncsQuery } from '../../src/hr-integrations/sync/schema.ts';
import { DecisionBody } from '../../src/portal/employees/schema.ts';
import {
  IntegrationStatusBody,
  NewIntegrationBody,
  RemovalDecisionBody,
} from '../../src/portal/integrations/schema.ts';
import { NewKeyBody, RotateKeyBody } from '../../src/portal/keys/schema.ts';
import { SettingsBody } from '../../src/portal/settings.ts';
import { ChangePasswordBody, SignInBody } from '../../src/portal/sign-in/schema.ts';
import { TimeTravelBody } from '../../src/portal/time-travel.ts';
import { AcceptInvitationBody, InvitationBody, RemoveUserBody, RoleBody } from '../../src/portal/users/schema.ts';
import { encode } from './generate-drafts.ts';
import { aRoster, listRosterSlips, type RosterLimits, writeRoster } from './generate-rosters.ts';
import { noIntegers, slipsOf, someText, strayPairs, type ValueSchema, validText } from './generate-values.ts';
import type { Generated, Generator } from './generated.ts';

/** The sessions that send requests: one with every permission, and one for requests that end sessions. */
export interface PortalSeat {
  origin: string;
  cookie: string;
  guestCookie: string;
  /** Existing ids, by parameter name. The parameter `id` is looked up by the first segment of the address. */
  ids: Record<string, (string | number)[]>;
}

type Route = { method: string; url: string };
type Body = Record<string, unknown>;

interface Form {
  query?: TObject;
  body?: TObject;
  /** A valid body. `roster` if the handler reads a roster. */
  sample?: Body | 'roster';
  isGuests?: boolean;
}

const noTravel = { to: '2000-01-01', confirm: 1 };
const account = { name: 'Nobody', password: 'a fresh password' };
const passwords = { currentPassword: 'not the password', newPassword: 'another password' };

/** The input of each portal route. `openPortalGenerators` throws if a route is missing here. */
export const portalForms: Record<string, Form> = {
  'POST /auth/sign-in/email': {
    body: SignInBody,
    sample: { email: 'nobody@example.com', password: 'nobody' },
  },
  'POST /auth/sign-out': { isGuests: true },
  'POST /auth/change-password': { body: ChangePasswordBody, sample: passwords },
  'POST /auth/revoke-other-sessions': { isGuests: true },
  'POST /auth/revoke-sessions': { isGuests: true },
  'GET /invitations/:token': {},
  'POST /invitations/:token': { body: AcceptInvitationBody, sample: account },
  'GET /me': {},
  'GET /overview': {},
  'GET /keys': {},
  'POST /keys': { body: NewKeyBody, sample: { name: 'Key', permissions: ['view-billing'], expiresAt: null } },
  'POST /keys/:username/rotate': { body: RotateKeyBody, sample: { overlapHours: 1 } },
  'POST /keys/:username/revoke': {},
  'GET /integrations': {},
  'POST /integrations': { body: NewIntegrationBody, sample: { name: 'New', type: 'api-integration' } },
  'GET /integrations/:id': {},
  'POST /integrations/:id/status': { body: IntegrationStatusBody, sample: { status: 'active' } },
  'GET /integrations/:id/syncs': { query: SyncsQuery },
  'GET /integrations/:id/syncs/:syncId': {},
  'GET /integrations/:id/syncs/:syncId/records': { query: SyncsQuery },
  'POST /integrations/:id/syncs/:syncId/removals': {
    body: RemovalDecisionBody,
    sample: { decision: 'rejected', confirm: 1 },
  },
  'POST /integrations/:id/preview': { sample: 'roster' },
  'POST /integrations/:id/sync': { sample: 'roster' },
  'GET /employees': { query: EmployeesQuery },
  'GET /employees/:id': {},
  'POST /employees/:id/decisions/preview': { body: DecisionBody, sample: { decision: 'cancel' } },
  'POST /employees/:id/decisions': { body: DecisionBody, sample: { decision: 'subscribe' } },
  'GET /documents/:id/download': {},
  'GET /billing': {},
  'GET /billing/:period/items': { query: Type.Omit(BillingItemsQuery, ['period']) },
  'GET /billing/:period/payroll': {},
  'GET /billing/:period/payroll.csv': {},
  'GET /activity': { query: SyncsQuery },
  'GET /users': {},
  'POST /users/invitations': { body: InvitationBody, sample: { email: 'guest@example.com', role: 'viewer' } },
  'DELETE /users/invitations/:id': {},
  'POST /users/:userId/role': { body: RoleBody, sample: { role: 'viewer' } },
  'GET /users/:userId/keys': {},
  'POST /users/:userId/end-sessions': {},
  'POST /users/:userId/remove': { body: RemoveUserBody, sample: { revokeKeys: [], keepKeys: [] } },
  'GET /settings': {},
  'POST /settings': { body: SettingsBody, sample: { cutOffDay: 10 } },
  'GET /time-travel': {},
  'POST /time-travel': { body: TimeTravelBody, sample: noTravel },
};

interface PortalSlip {
  name: string;
  spoil(request: Generated, random: Random): void;
}

/** Fits no field of any body, because fields are texts, whole numbers or lists of words. */
const noValues = [7.5, {}, true, [[]], [null]];

function bodySlips(body: TObject, sample: Body): PortalSlip[] {
  const sent = (name: string, change: (fields: Body, random: Random) => unknown): PortalSlip => ({
    name: `body: ${name}`,
    spoil: (request, random) => {
      const fields: Body = { ...sample };
      request.body = JSON.stringify(change(fields, random) ?? fields);
    },
  });
  const ofFields = Object.entries(body.properties).flatMap(([field, schema]) => {
    const slips = slipsOf(schema as ValueSchema).filter(({ name }) => name === 'is too long' || name.includes('word'));
    const set = (name: string, value: (random: Random) => unknown) =>
      sent(`${field} ${name}`, (fields, random) => {
        fields[field] = value(random);
      });
    const missing = sent(`${field} missing`, (fields) => {
      delete fields[field];
    });
    return [
      ...(body.required?.includes(field) ? [missing] : []),
      set('of another type', (random) => random.pick(noValues)),
      ...slips.map((slip) => set(slip.name, (random) => slip.make(random))),
    ];
  });
  return [
    ...ofFields,
    sent('a field too many', (fields, random) => ({ ...fields, [random.pick(['x', 'companyId', 'constructor'])]: 1 })),
    sent('no object', (_fields, random) => random.pick([7, 'x', true, [], [sample]])),
  ];
}

const rosterSlips = (limits: RosterLimits): PortalSlip[] =>
  listRosterSlips(limits)
    // The portal accepts a plain list of employees as a roster.
    .filter(({ name }) => name !== 'no object')
    .map(({ name, spoil }) => ({
      name: `body: ${name}`,
      spoil: (request, random) => {
        request.body = spoil(aRoster(random, 'spoilt'), random);
      },
    }));

const broken = ['', ' ', '{', '{"a":', 'x', '{a:1}', "{'a':1}", '\ufeff{}', '{}{}', '{"__proto__":{"role":"admin"}}'];

const anyBodySlips: PortalSlip[] = [
  {
    name: 'body: no JSON',
    spoil: (request, random) => {
      request.body = random.chance(0.2) ? Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) : random.pick(broken);
    },
  },
  {
    name: 'body: of another type',
    spoil: (request, random) => {
      request.headers['content-type'] = random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'x',
        'image/png',
      ]);
    },
  },
];

const replaceParameter = (request: Generated, value: string) => {
  request.path = request.path.replace(/«\w+»/, value);
};

const idSlip: PortalSlip = {
  name: 'path: id of nothing',
  spoil: (request, random) => {
    const odd = [...noIntegers, '-1', '9'.repeat(30), someText(random, 300, 1), '2026-02-30', `1.${'x'.repeat(43)}`];
    replaceParameter(request, random.chance(0.1) ? random.pick(['%', '%zz', '%FF']) : encode(`?${random.pick(odd)}`));
  },
};

const querySlips = (query: TObject): PortalSlip[] =>
  Object.entries(query.properties).flatMap(([name, schema]) =>
    slipsOf(schema as ValueSchema).map((slip) => ({
      name: `query: ${name} ${slip.name}`,
      spoil: (request, random) => {
        request.path = `${request.path.split('?')[0]}?${name}=${encode(slip.make(random))}`;
      },
    })),
  );

const straySlip: PortalSlip = {
  name: 'query: a parameter that nobody knows',
  spoil: (request, random) => {
    request.path += `${request.path.includes('?') ? '&' : '?'}${random.pick(strayPairs)}`;
  },
};

const methodSlip: PortalSlip = {
  name: 'wrong method',
  spoil: (request, random) => {
    request.method = random.pick(['PUT', 'PATCH', 'OPTIONS']);
  },
};

const originSlip: PortalSlip = {
  name: 'from another site',
  spoil: ({ headers }, random) => {
    const others = ['', 'null', 'https://evil.example', `${headers.origin}.evil`, 'x'];
    headers.origin = random.pick(others);
  },
};

const sessionSlip: PortalSlip = {
  name: 'no session',
  spoil: ({ headers }, random) => {
    const { cookie = '' } = headers;
    headers.cookie = random.pick([
      '',
      'x',
      cookie.slice(0, -5),
      cookie.replace('=', '=x'),
      `transit.session_token=${'%'.repeat(9)}`,
    ]);
  },
};

const isPublic = (url: string) => /^\/(invitations|auth\/sign-(in|out))/.test(url);

function listSlips({ method, url }: Route, form: Form, limits: RosterLimits): PortalSlip[] {
  const { query, body, sample } = form;
  return [
    methodSlip,
    straySlip,
    ...(url.includes(':') ? [idSlip] : []),
    ...(query ? querySlips(query) : []),
    ...(body && sample && sample !== 'roster' ? [...bodySlips(body, sample), ...anyBodySlips] : []),
    ...(sample === 'roster' ? [...rosterSlips(limits), ...anyBodySlips] : []),
    ...(method === 'GET' ? [] : [originSlip]),
    ...(isPublic(url) ? [] : [sessionSlip]),
  ];
}

function plainRequest(
  { route, form, seat }: { route: Route; form: Form; seat: PortalSeat },
  random: Random,
  number: number,
): Generated {
  const { sample, query } = form;
  const pairs = Object.entries(query?.properties ?? {}).filter(() => random.chance(0.3));
  const search = pairs.map(
    ([name, schema]) =>
      `${name}=${encode(validText((schema as { items?: ValueSchema }).items ?? (schema as ValueSchema), random))}`,
  );
  const isJson = sample !== undefined;
  const body = sample === 'roster' ? writeRoster(aRoster(random, `portal ${number}`), random) : JSON.stringify(sample);
  return {
    name: `${route.method} ${route.url}`,
    slip: undefined,
    method: route.method,
    path: `/portal/api${route.url.replaceAll(/:(\w+)/g, '«$1»')}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    headers: {
      cookie: form.isGuests ? seat.guestCookie : seat.cookie,
      ...(route.method === 'GET' ? {} : { origin: seat.origin }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    ...(isJson ? { body } : {}),
    wanted: 'answered',
    operation: undefined,
  };
}

function nounOf(url: string): string {
  return /^\/(\w+)/.exec(url)?.[1] ?? '';
}

/** Replaces the remaining parameters of the address with existing ids. */
function aimAtKnown(request: Generated, { url }: Route, seat: PortalSeat, random: Random): void {
  request.path = request.path.replaceAll(/«(\w+)»/g, (_whole, name: string) => {
    const known = seat.ids[name === 'id' ? nounOf(url) : name] ?? ['x'];
    return encode(String(random.pick(known)));
  });
}

/**
 * Returns, for each portal route, a generator of requests as the pages send them and one of requests with one mistake.
 */
export function openPortalGenerators(routes: Route[], seat: PortalSeat, limits: RosterLimits) {
  return routes.map((route) => {
    const name = `${route.method} ${route.url}`;
    const form = portalForms[name];
    if (form === undefined) throw new Error(`torture/support/generate-portal.ts does not know ${name}; add it.`);
    const slips = listSlips(route, form, limits);
    const valid: Generator = (random, number) => {
      const request = plainRequest({ route, form, seat }, random, number);
      aimAtKnown(request, route, seat, random);
      return request;
    };
    const invalid: Generator = (random, number) => {
      const slip = random.pick(slips);
      const request: Generated = {
        ...plainRequest({ route, form, seat }, random, number),
        slip: slip.name,
        wanted: 'refused',
      };
      slip.spoil(request, random);
      aimAtKnown(request, route, seat, random);
      return request;
    };
    return { name, slips: slips.length, valid, invalid };
  });
}
