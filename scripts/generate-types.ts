import { type Kysely, sql } from 'kysely';
import * as enums from '../src/domain/enums.ts';

/** The type name of each list. The compiler ensures that no list is missing. */
const typeNames: Record<keyof typeof enums, string> = {
  environments: 'Environment',
  permissions: 'Permission',
  subscriptionStatuses: 'SubscriptionStatus',
  planTypes: 'PlanType',
  invitationStates: 'InvitationState',
  joiningWays: 'JoiningWay',
  contractStatuses: 'ContractStatus',
  contractDecisions: 'ContractDecision',
  consentWays: 'ConsentWay',
  batchOutcomes: 'BatchOutcome',
  requestActions: 'RequestAction',
  batchActions: 'BatchAction',
  sides: 'Side',
  requestStatuses: 'RequestStatus',
  endCauses: 'EndCause',
  notSubscribedReasons: 'NotSubscribedReason',
  hrLinkTypes: 'HrLinkType',
  chargeTypes: 'ChargeType',
  feeTypes: 'FeeType',
  lateCauses: 'LateCause',
  feeUnits: 'FeeUnit',
  invoiceKinds: 'InvoiceKind',
  taxCategories: 'TaxCategory',
  invoiceFormats: 'InvoiceFormat',
  documentKinds: 'DocumentKind',
  issuerKinds: 'IssuerKind',
  orderStates: 'OrderState',
  orderActors: 'OrderActor',
  barcodeFormats: 'BarcodeFormat',
  orderSections: 'OrderSection',
  returnOrigins: 'ReturnOrigin',
  differenceKinds: 'DifferenceKind',
  invoiceDifferenceKinds: 'InvoiceDifferenceKind',
  blockReasons: 'BlockReason',
  integrationTypes: 'IntegrationType',
  integrationStatuses: 'IntegrationStatus',
  onboardingStatuses: 'OnboardingStatus',
  syncOutcomes: 'SyncOutcome',
  syncStates: 'SyncState',
  recordOutcomes: 'RecordOutcome',
  approvalStates: 'ApprovalState',
  payrollSystems: 'PayrollSystem',
  personnelNumberRules: 'PersonnelNumberRule',
  taxTreatments: 'TaxTreatment',
  policyReasons: 'PolicyReason',
  planChangeOutcomes: 'PlanChangeOutcome',
  noAnswerRules: 'NoAnswerRule',
  hrIdAttributes: 'HrIdAttribute',
  caseKinds: 'CaseKind',
  providers: 'Provider',
  pullSchedules: 'PullSchedule',
  pullKinds: 'PullKind',
  pullStates: 'PullState',
  roles: 'Role',
  storedRoles: 'StoredRole',
  replacementReasons: 'ReplacementReason',
  actorTypes: 'ActorType',
  eventTypes: 'EventType',
  integrationStatusReasons: 'IntegrationStatusReason',
  endpointStates: 'EndpointState',
  endpointDisabledReasons: 'EndpointDisabledReason',
  deliveryStates: 'DeliveryState',
  secondFactorKinds: 'SecondFactorKind',
  sessionMethods: 'SessionMethod',
  accessMethods: 'AccessMethod',
  languages: 'Language',
  mailStates: 'MailState',
  employeeMailKinds: 'EmployeeMailKind',
  employeeMailStates: 'EmployeeMailState',
};

/** The TypeScript type that src/platform/db/database.ts returns for each database type. */
const scalarTypes: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  _text: 'string[]',
  timestamptz: 'string',
  uuid: 'string',
};

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  defaulted: boolean;
  computed: boolean;
  words: string | null;
}

async function listColumns(db: Kysely<unknown>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select r.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as defaulted,
      a.attidentity = 'a' or a.attgenerated <> '' as computed,
      (select pg_get_constraintdef(c.oid) from pg_constraint c
        where c.conrelid = r.oid and c.contype = 'c' and c.conkey = array[a.attnum]
          and pg_get_constraintdef(c.oid) like '%ARRAY[%') as words
    from pg_class r
    join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where r.relkind = 'r' and r.relnamespace = 'public'::regnamespace and r.relname <> 'schema_migrations'
    order by r.relname, a.attnum`.execute(db);
  return rows;
}

function wordType({ table, column, words }: Column): string | undefined {
  if (words === null) return undefined;
  const allowed = [...words.matchAll(/'([^']*)'::text/g)].map((match) => match[1]).sort();
  const entries = Object.entries(enums) as [keyof typeof enums, readonly string[]][];
  const same = entries.find(([, list]) => JSON.stringify([...list].sort()) === JSON.stringify(allowed));
  if (!same)
    throw new Error(`${table}.${column} allows ${allowed.join(', ')}: no list of src/domain/enums.ts has these words.`);
  return words.includes('<@') ? `${typeNames[same[0]]}[]` : typeNames[same[0]];
}

function columnType(column: Column): string {
  const type = wordType(column) ?? scalarTypes[column.type];
  if (type === undefined) throw new Error(`No type is known for ${column.table}.${column.column} (${column.type}).`);
  const full = column.nullable ? `${type} | null` : type;
  if (column.computed) return `GeneratedAlways<${full}>`;
  return column.defaulted ? `Generated<${full}>` : full;
}

const pascalCase = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the text of src/platform/db/types.gen.ts for a migrated database. Throws if a check constraint differs from
 * src/domain/enums.ts. This is custom code because the public generator needs the compiler's JavaScript API, which
 * TypeScript 7 no longer has.
 */
export async function generateTypes(db: Kysely<unknown>): Promise<string> {
  const columns = await listColumns(db);
  const tables = [...new Set(columns.map((column) => column.table))];
  const interfaces = tables.map((table) => {
    const lines = columns.filter((column) => column.table === table).map((c) => `  ${c.column}: ${columnType(c)};`);
    return `export interface ${pascalCase(table)}Table {\n${lines.join('\n')}\n}`;
  });
  const used = Object.values(typeNames).filter((type) =>
    interfaces.some((text) => new RegExp(`\\b${type}\\b`).test(text)),
  );
  return `${[
    '// Generated from the migrated database by `npm run generate`. Do not edit.',
    `import type { Generated, GeneratedAlways } from 'kysely';\nimport type {\n${used.map((type) => `  ${type},\n`).join('')}} from '../../domain/enums.ts';`,
    ...interfaces,
    `export interface DB {\n${tables.map((table) => `  ${table}: ${pascalCase(table)}Table;`).join('\n')}\n}`,
  ].join('\n\n')}\n`;
}
