import * as enums from '../src/domain/enums.ts';
import { abilityNames } from '../src/domain/roles.ts';
import { upcomingTypes } from '../src/domain/subscription/public-dates.ts';
import { changeSources } from '../src/domain/subscription/sources.ts';
import { causes, decisions } from '../src/domain/subscription/transitions.ts';
import { documentOwners, documentTypes } from '../src/features/documents/contract.ts';
import { keyStates } from '../src/features/keys/contract.ts';
import { statusClasses } from '../src/features/requests/contract.ts';
import { columnFields } from '../src/features/roster/rules/file/headings.ts';

/** The enums that the pages need by name. The public document states them inline. */
const namedEnums: Record<string, readonly string[]> = {
  Ability: abilityNames,
  ActorType: enums.actorTypes,
  ApprovalState: enums.approvalStates,
  Cause: causes,
  ChangeSource: changeSources,
  ChargeType: enums.chargeTypes,
  ColumnField: columnFields,
  ConsentWay: enums.consentWays,
  ContractStatus: enums.contractStatuses,
  Decision: decisions,
  DeliveryState: enums.deliveryStates,
  DocumentOwner: documentOwners,
  DocumentType: documentTypes,
  Environment: enums.environments,
  EventType: enums.eventTypes,
  HrLinkType: enums.hrLinkTypes,
  InvoiceKind: enums.invoiceKinds,
  IntegrationStatus: enums.integrationStatuses,
  IntegrationType: enums.integrationTypes,
  KeyState: keyStates,
  OnboardingStatus: enums.onboardingStatuses,
  PayrollSystem: enums.payrollSystems,
  Permission: enums.permissions,
  PlanType: enums.planTypes,
  Provider: enums.providers,
  PullKind: enums.pullKinds,
  PullState: enums.pullStates,
  RecordOutcome: enums.recordOutcomes,
  Role: enums.roles,
  StatusClass: statusClasses,
  SubscriptionStatus: enums.subscriptionStatuses,
  SyncOutcome: enums.syncOutcomes,
  SyncState: enums.syncStates,
  PersonnelNumberRule: enums.personnelNumberRules,
  TaxTreatment: enums.taxTreatments,
  UpcomingType: upcomingTypes,
  WebhookDisabledReason: enums.webhookDisabledReasons,
  WebhookState: enums.webhookStates,
};

const names = new Map(Object.entries(namedEnums).map(([name, values]) => [values.join(), name]));

interface EnumSchema {
  type?: unknown;
  enum?: readonly (string | null)[];
}

/** Replaces an enum that has a name by a reference to it, and an enum with one value by a constant. */
function refer(_key: string, value: unknown): unknown {
  const { type: _, enum: values, ...rest } = (value ?? {}) as EnumSchema;
  if (!Array.isArray(values)) return value;
  if (values.length === 1) return { ...rest, const: values[0] };
  const name = names.get(values.filter((one) => one !== null).join());
  if (name === undefined) return value;
  const reference = { $ref: `#/components/schemas/${name}` };
  return values.includes(null) ? { ...rest, anyOf: [reference, { type: 'null' }] } : { ...rest, ...reference };
}

/** Returns the document with the named enums as components. */
export function nameEnums(document: object): object {
  const { components, ...rest } = JSON.parse(JSON.stringify(document), refer);
  const schemas = Object.fromEntries(
    Object.entries(namedEnums).map(([name, values]) => [name, { type: 'string', enum: values }]),
  );
  return { ...rest, components: { ...components, schemas: { ...schemas, ...components.schemas } } };
}
