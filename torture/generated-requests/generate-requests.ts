import type { Random } from '../../src/demo/random.ts';
import type { Permission } from '../../src/domain/enums.ts';
import { basic } from '../../test/support/app.ts';
import { type Operation, operations } from '../../test/support/openapi.ts';
import { aDraft, type Draft, encode, parametersIn, pathOf, spellParameter } from '../support/generate-drafts.ts';
import { aRoster, listRosterSlips, type RosterLimits } from '../support/generate-rosters.ts';
import { type Slip, slipsOf, strayPairs, typeOf, validText } from '../support/generate-values.ts';
import type { Generated, Generator, Wanted } from '../support/generated.ts';
import type { Targets } from '../support/targets.ts';

/** One deliberate mistake in an otherwise valid request. */
interface RequestSlip {
  name: string;
  wanted: Wanted;
  spoil(draft: Draft, random: Random, number: number): void;
}

const inPath = (name: string, slip: Slip): RequestSlip => ({
  name: `path: ${name} ${slip.name}`,
  wanted: [400],
  spoil: (draft, random) => {
    draft.params[name] = encode(slip.make(random));
  },
});

const inQuery = (name: string, slip: string, pairs: (random: Random) => string[]): RequestSlip => ({
  name: `query: ${name} ${slip}`,
  wanted: [400],
  spoil: (draft, random) => {
    const others = draft.query.filter((pair) => !pair.startsWith(name));
    draft.query = random.shuffle([...others, ...pairs(random)]);
  },
});

const brokenEncodings = ['%', '%z', '%zz', '%FF', '%C3', '%c3%28', '%E0%80%80', '%ED%A0%80', '%u0041'];

function pathSlips(operation: Operation): RequestSlip[] {
  return parametersIn(operation, 'path').flatMap(({ name, schema }): RequestSlip[] => [
    ...slipsOf(schema).map((slip) => inPath(name, slip)),
    {
      name: `path: ${name} is broken encoding`,
      wanted: [400],
      spoil: (draft, random) => {
        draft.params[name] = random.pick(brokenEncodings);
      },
    },
  ]);
}

const strayPairSlip: RequestSlip = {
  name: 'query: a parameter that nobody knows',
  wanted: [400],
  spoil: (draft, random) => {
    draft.query.push(random.pick(strayPairs));
  },
};

/** Returns a name in another spelling, or with a letter missing. */
const misspell = (name: string, random: Random) =>
  random.pick([
    name.toUpperCase(),
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).concat('_'),
    ` ${name}`,
    name.slice(0, -1),
    `${name}x`,
  ]);

function querySlips(operation: Operation): RequestSlip[] {
  return parametersIn(operation, 'query').flatMap((parameter) => {
    const { name, schema } = parameter;
    const isArray = typeOf(schema) === 'array';
    const given = (value: string, random: Random) => `${name}${isArray ? random.pick(['', '[]', '[7]']) : ''}=${value}`;
    const once = () => `${name}=${schema.default ?? ''}`;
    return [
      ...slipsOf(schema).map((slip) =>
        inQuery(name, slip.name, (random) => [
          ...(isArray ? spellParameter(parameter, random) : []),
          given(encode(slip.make(random)), random),
        ]),
      ),
      inQuery(name, 'is misspelt', (random) => [
        `${encode(misspell(name, random))}=${encode(validText(schema, random))}`,
      ]),
      ...(typeOf(schema) === 'boolean' ? [inQuery(name, 'has no value', () => [name])] : []),
      inQuery(name, 'is broken encoding', (random) => [given(random.pick(brokenEncodings), random)]),
      ...(isArray ? [] : [inQuery(name, 'is given twice', () => [once(), once()])]),
    ];
  });
}

/** Authorization headers that do not contain exactly a key of this environment. */
const noKeys: ((key: Targets['key']) => string | undefined)[] = [
  () => undefined,
  () => 'Bearer abc',
  () => 'Basic',
  () => 'Basic ====',
  () => `Basic ${Buffer.from('no colon').toString('base64')}`,
  ({ username, password }) => `${username}:${password}`,
  (key) => basic({ ...key, password: '' }),
  (key) => basic({ ...key, username: '' }),
  (key) => basic({ ...key, password: `${key.password}x` }),
  (key) => basic({ ...key, password: key.password.replace('_staging_', '_production_') }),
  (key) => basic({ ...key, username: key.username.toUpperCase() }),
  (key) => basic({ ...key, username: 'tk_999999_0123456789abcdef' }),
  (key) => basic({ ...key, username: `tk_${'9'.repeat(30)}_0123456789abcdef` }),
  (key) => basic({ username: `${key.username}\u0000`, password: `\u0000${key.password}` }),
];

function guardSlips({ permissions }: Operation, { key, lacking }: Targets): RequestSlip[] {
  if (permissions === undefined) return [];
  return [
    {
      name: 'no valid key',
      wanted: [401],
      spoil: ({ headers }, random) => {
        const authorization = random.pick(noKeys)(key);
        delete headers.authorization;
        if (authorization !== undefined) headers.authorization = authorization;
      },
    },
    ...permissions.map(
      (permission): RequestSlip => ({
        name: `key without ${permission}`,
        wanted: [403],
        spoil: ({ headers }) => {
          headers.authorization = basic(lacking[permission as Permission]);
        },
      }),
    ),
  ];
}

const addressSlips = ({ method }: Operation): RequestSlip[] => [
  {
    name: 'wrong method',
    wanted: [405],
    spoil: (draft, random) => {
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => other !== method);
      draft.method = random.pick(others);
    },
  },
  {
    name: 'unknown path',
    wanted: [404],
    spoil: (draft, random) => {
      draft.prefix = random.pick(['', '/v2', '/V1', '/v1/v1', '/v1/x', '/v1/%2e%2e/v1', '/v1/..', '/v1%2F', '//v1']);
    },
  },
];

const passSlip: RequestSlip = {
  name: 'path: pass of no ticket',
  wanted: [404],
  spoil: ({ params }, random) => {
    const { pass = '' } = params;
    const [company = '', token = ''] = pass.split('.');
    params.pass = random.pick([
      encode(`${pass}x`),
      encode(`0${pass}`),
      token,
      encode(`${company}/${token}`),
      encode(`${'9'.repeat(16)}.${token}`),
      encode(`${company}.${token.slice(0, -1)}\u0000`),
      encode(`${Number(company) + 1}.${token}`),
      `${company}.${[...token].reverse().join('')}`,
      '%00',
    ]);
  },
};

const otherTypes = [
  'text/plain',
  'text/csv',
  'application/xml',
  'application/ld+json',
  'multipart/form-data',
  'json',
  '*/*',
];

function bodySlips(targets: Targets, limits: RosterLimits): RequestSlip[] {
  const spoilt = listRosterSlips(limits).map(
    ({ name, status, spoil }): RequestSlip => ({
      name: `body: ${name}`,
      wanted: [status],
      spoil: (draft, random, number) => {
        draft.body = spoil(aRoster(random, `spoilt ${number}`), random);
      },
    }),
  );
  return [
    ...spoilt,
    {
      name: 'body: a syncId used before',
      wanted: [422],
      spoil: (draft, random) => {
        draft.query = [];
        draft.body = JSON.stringify(aRoster(random, targets.taken));
      },
    },
    {
      name: 'body: of another type',
      wanted: [415],
      spoil: ({ headers }, random) => {
        delete headers['content-type'];
        if (random.chance(0.9)) headers['content-type'] = random.pick(otherTypes);
      },
    },
    {
      name: 'body: compressed',
      wanted: [415],
      spoil: ({ headers }, random) => {
        headers['content-encoding'] = random.pick(['gzip', 'br', 'zstd', 'x']);
      },
    },
  ];
}

/** Lists every mistake that can be made with the operation. */
const listSlips = (operation: Operation, targets: Targets, limits: RosterLimits): RequestSlip[] => [
  ...pathSlips(operation),
  ...querySlips(operation),
  strayPairSlip,
  ...guardSlips(operation, targets),
  ...addressSlips(operation),
  ...(operation.path.includes('{pass}') ? [passSlip] : []),
  ...(operation.requestBody ? bodySlips(targets, limits) : []),
];

function generate(operation: Operation, draft: Draft, slip: RequestSlip | undefined): Generated {
  const { method, headers, body, wanted } = draft;
  const isElsewhere = draft.prefix !== '/v1' || method !== operation.method;
  return {
    name: operation.operationId,
    slip: slip?.name,
    method,
    path: pathOf(operation, draft),
    headers,
    ...(body === undefined ? {} : { body }),
    wanted: slip?.wanted ?? wanted,
    operation: isElsewhere ? undefined : operation,
  };
}

/**
 * Returns, for each operation of the OpenAPI document, a generator of valid requests and one of requests with one
 * mistake.
 */
export function openRequestGenerators(targets: Targets, limits: RosterLimits) {
  return operations.map((operation) => {
    const slips = listSlips(operation, targets, limits);
    const valid: Generator = (random, number) =>
      generate(operation, aDraft(operation, targets, random, { number, isPlain: false }), undefined);
    const invalid: Generator = (random, number) => {
      const draft = aDraft(operation, targets, random, { number, isPlain: true });
      const slip = random.pick(slips);
      slip.spoil(draft, random, number);
      return generate(operation, draft, slip);
    };
    return { name: operation.operationId, slips: slips.length, valid, invalid };
  });
}
