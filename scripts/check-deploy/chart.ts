import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import * as apps from 'kubernetes-models/apps/v1';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { type Document, parseAllDocuments, stringify } from 'yaml';
import { mergeValues, renderChart } from './render-chart.ts';
import { deploy, isInstalled, readOutput, root, runTool } from './tools.ts';

/**
 * Checks the chart: its values against their schema, and what it renders against the types of Kubernetes. The compiler
 * finds unknown and misspelt fields, which the validators of the same package accept.
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

/** Writes the manifests as constants of their types, for the compiler. */
function checkTypes(manifests: readonly Manifest[]): string[] {
  const folder = join(root, 'node_modules/.cache/check-deploy');
  mkdirSync(folder, { recursive: true });
  const lines = manifests.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as T${index} } from 'kubernetes-models/${manifest.apiVersion}';\n` +
      `export const manifest${index}: T${index} = ${JSON.stringify(manifest, null, 2)};\n`,
  );
  const file = join(folder, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--module', 'preserve', '--skipLibCheck', '--ignoreConfig'];
  return runTool('tsc', [...options, file]);
}

type Model = new (manifest: object) => { validate(): void };

const models: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

function validate({ apiVersion, kind, ...fields }: Manifest): string[] {
  const model = (models[apiVersion] as Record<string, Model> | undefined)?.[kind];
  if (model === undefined)
    return [`There is no ${kind} in ${apiVersion}: correct the template, or add it to chart.ts.`];
  try {
    new model(fields).validate();
    return [];
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`];
  }
}

export function checkChart(): string[] {
  const manifests = listManifests();
  return [...checkValues(), ...manifests.flatMap(validate), ...checkTypes(manifests)];
}
