import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { type Document, parseAllDocuments, stringify } from 'yaml';
import { mergeValues, renderChart } from './render-chart.ts';
import { deploy, isInstalled, readOutput, root, runTool } from './tools.ts';

/**
 * Checks the chart: its values against their schema, and what it renders against the types of Kubernetes.
 */

const chart = join(deploy, 'helm');

const required = {
  publicUrl: 'https://transit.example.com',
  existingSecret: 'transit',
  documentStore: 's3://bucket/x',
};

/** Values that together render every part of the templates. */
const variants: readonly object[] = [
  required,
  { ...required, documentStore: '', documentsClaim: 'documents', networkPolicy: { enabled: false } },
  {
    ...required,
    image: { tag: '1.2.3' },
    settings: { LOG_LEVEL: 'warn', PORTAL: 'off' },
    extraEnv: [{ name: 'AWS_REGION', value: 'eu-central-1' }],
    serviceAccountName: 'transit',
    networkPolicy: {
      apiFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      metricsFrom: [{ podSelector: {} }],
      extraEgress: [{ ports: [{ protocol: 'TCP', port: 587 }] }],
    },
    ingress: { enabled: true, className: 'nginx', host: 'x.example.com', tlsSecret: 'tls', annotations: { a: 'b' } },
  },
];

const refused: readonly object[] = [
  {},
  { ...required, publicUrl: 'http://transit.example.com' },
  { ...required, documentStore: '' },
  { ...required, replicas: 3 },
  { ...required, networkPolicy: { databasePort: '5432' } },
];

interface Manifest {
  apiVersion: string;
  kind: string;
  [field: string]: unknown;
}

function checkValues(): string[] {
  const validate = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(
    JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')),
  );
  const accepts = (values: object) => validate(mergeValues(chart, values));
  return [
    ...variants
      .filter((values) => !accepts(values))
      .map((values) => `values.schema.json refuses ${JSON.stringify(values)}`),
    ...refused.filter(accepts).map((values) => `values.schema.json accepts ${JSON.stringify(values)}`),
  ];
}

/** Renders by Helm where it is installed, else by what `render-chart.ts` knows of its templates. */
function render(values: object): string[] {
  if (!isInstalled('helm')) return Object.values(renderChart(chart, values));
  return [readOutput('helm', ['template', 'transit', chart, '--values', '-'], stringify(values))];
}

/** Returns the manifests of all variants. Throws if one is not YAML. */
export function listManifests(): Manifest[] {
  const documents = variants.flatMap(render).flatMap((text) => parseAllDocuments(text) as Document[]);
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return (document.toJS() as Manifest | null) ?? [];
  });
}

/** Returns the module that has the types of a version: `core/v1` for `v1`, `networking/v1` for `networking.k8s.io/v1`. */
const moduleOf = (apiVersion: string) =>
  `kubernetes-types/${apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`}`;

/** Writes the manifests as constants of their types, for the compiler. */
function checkTypes(manifests: readonly Manifest[]): string[] {
  const folder = join(root, 'node_modules/.cache/check-deploy');
  mkdirSync(folder, { recursive: true });
  const lines = manifests.map(
    (manifest, index) =>
      `import type { ${manifest.kind} as T${index} } from '${moduleOf(manifest.apiVersion)}';\n` +
      `export const manifest${index}: T${index} = ${JSON.stringify(manifest, null, 2)};\n`,
  );
  const file = join(folder, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--module', 'preserve', '--skipLibCheck', '--ignoreConfig'];
  return runTool('tsc', [...options, file]);
}

export function checkChart(): string[] {
  const manifests = listManifests();
  return [...checkValues(), ...checkTypes(manifests)];
}
