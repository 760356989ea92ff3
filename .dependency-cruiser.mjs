/**
 * Which file may import which. Imports go down: main, operator, processes, portal, mcp and docs-site, features,
 * platform, domain. Imports of types count: they tie files together for the reader.
 */
const floors = ['domain', 'platform', 'features', '(portal|mcp|docs-site)', 'processes', 'operator', 'main\\.ts'];

const upward = floors.slice(0, -1).map((floor, level) => ({
  name: `no import up from ${floor}`,
  comment: 'Move the shared code down, or pass it in from above.',
  severity: 'error',
  from: { path: `^src/${floor}`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/(${floors.slice(level + 1).join('|')})` },
}));

/** Features from the ground up: one uses only those before it. */
const features = [
  ...['notices', 'events', 'activity', 'companies', 'integrations', 'keys', 'requests', 'webhooks', 'accounts'],
  ...['wallet', 'tickets', 'billing', 'documents', 'invoices', 'payroll', 'employees', 'daily-run'],
  ...['subscriptions', 'roster', 'contracts', 'connectors'],
];

const upwardFeatures = features.slice(0, -1).map((feature, level) => ({
  name: `no import up from ${feature}`,
  comment: 'Move the use case to the higher feature, or what both share down.',
  severity: 'error',
  from: { path: `^src/features/${feature}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/features/(${features.slice(level + 1).join('|')})/` },
}));

export default {
  forbidden: [
    ...upward,
    ...upwardFeatures,
    {
      name: 'no SQL of another feature',
      comment: 'Call a use case of the other feature, or use its contract.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/.+/store\\.ts$', pathNot: '^src/features/$1/' },
    },
    {
      name: 'no store above features',
      comment: 'Call a use case of the feature.',
      severity: 'error',
      from: { path: '^src/(portal|mcp|docs-site|processes|operator)' },
      to: { path: '^src/features/.+/store\\.ts$' },
    },
    {
      name: 'no circle',
      severity: 'error',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      name: 'no tests in the product',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|torture|harness|scripts)/' },
    },
    {
      name: 'portal imports types of contracts only',
      comment: 'The portal shares the contracts of features and the domain with the service.',
      severity: 'error',
      from: { path: '^portal/src' },
      to: {
        path: '^src',
        pathNot: '^src/(domain/|(features/.+|portal)/contract\\.ts$|platform/http/(portal/)?schemas\\.ts$)',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    parser: 'swc',
  },
};
