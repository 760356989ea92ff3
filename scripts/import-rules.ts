/** Paths are regular expressions, relative to the folder of the project. */
export interface ImportRule {
  name: string;
  remedy: string;
  from: { path: string; pathNot?: string };
  to: { path: string; pathNot?: string };
  /** Whether types may be imported nevertheless. */
  allowsTypes?: true;
}

/**
 * Which file may import which. Imports go down: main, operator, processes, portal, my, mcp and docs-site, features,
 * platform, domain. Imports of types count: they tie files together for the reader.
 */
const floors = ['domain', 'platform', 'features', '(portal|my|mcp|docs-site)', 'processes', 'operator', 'main\\.ts'];

const upward = floors.slice(0, -1).map((floor, level) => ({
  name: `no import up from ${floor}`,
  remedy: 'Move the shared code down, or pass it in from above.',
  from: { path: `^src/${floor}`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/(${floors.slice(level + 1).join('|')})` },
}));

/** Features from the ground up: one uses only those before it. */
const features = [
  ...['notices', 'events', 'activity', 'companies', 'employee-mails', 'integrations', 'keys', 'requests', 'webhooks'],
  ...['accounts', 'employee-access', 'wallet', 'tickets', 'billing', 'documents', 'invoices', 'payroll', 'employees'],
  ...[
    'policies',
    'joining',
    'issuers',
    'daily-run',
    'corrections',
    'forecast',
    'subscriptions',
    'roster',
    'contracts',
    'connectors',
  ],
];

const upwardFeatures = features.slice(0, -1).map((feature, level) => ({
  name: `no import up from ${feature}`,
  remedy: 'Move the use case to the higher feature, or what both share down.',
  from: { path: `^src/features/${feature}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/features/(${features.slice(level + 1).join('|')})/` },
}));

export const rules: readonly ImportRule[] = [
  ...upward,
  ...upwardFeatures,
  {
    name: 'no SQL of another feature',
    remedy: 'Call a use case of the other feature, or use its contract.',
    from: { path: '^src/features/([^/]+)/' },
    to: { path: '^src/features/.+/store\\.ts$', pathNot: '^src/features/$1/' },
  },
  {
    name: 'no store above features',
    remedy: 'Call a use case of the feature.',
    from: { path: '^src/(portal|my|mcp|docs-site|processes|operator)' },
    to: { path: '^src/features/.+/store\\.ts$' },
  },
  {
    name: 'no tests in the product',
    remedy: 'Move what both need into the product.',
    from: { path: '^src', pathNot: '\\.test\\.ts$' },
    to: { path: '^(test|bench|torture|harness|scripts)/' },
  },
  {
    name: 'portal imports types of contracts only',
    remedy: 'The portal shares the contracts of features and the domain with the service.',
    from: { path: '^portal/src' },
    to: {
      path: '^src',
      pathNot: '^src/(domain/|(features/.+|portal)/contract\\.ts$|platform/http/(portal/)?schemas\\.ts$)',
    },
  },
  {
    name: "the employee's page imports types of contracts only",
    remedy: "The employee's page shares the contracts of features and the domain with the service.",
    from: { path: '^my/src' },
    to: {
      path: '^(src|portal)',
      pathNot:
        '^src/(domain/|(features/.+|my)/(my-)?contract\\.ts$|platform/http/(message-schema|(portal/)?schemas)\\.ts$)',
    },
  },
  {
    name: 'pages import no values of contracts',
    remedy: 'A browser would load all schemas of the contract. Move the value to src/domain.',
    from: { path: '^(portal|my)/src' },
    to: { path: '^src', pathNot: '^src/domain/' },
    allowsTypes: true,
  },
];
