import {
  ActorType,
  ChargeType,
  ColumnField,
  ContractStatus,
  DeliveryState,
  DocumentOwner,
  DocumentType,
  EventType,
  Permission,
  PlanType,
  RecordOutcome,
  Role,
  StatusClass,
  SubscriptionStatus,
} from './types.gen.ts';

/** The enums that pages list, such as the choices of a filter. */
export const actorTypes = Object.values(ActorType);
export const chargeTypes = Object.values(ChargeType);
export const columnFields = Object.values(ColumnField);
export const contractStatuses = Object.values(ContractStatus);
export const deliveryStates = Object.values(DeliveryState);
export const documentOwners = Object.values(DocumentOwner);
export const documentTypes = Object.values(DocumentType);
export const eventTypes = Object.values(EventType);
export const permissions = Object.values(Permission);
export const planTypes = Object.values(PlanType);
export const recordOutcomes = Object.values(RecordOutcome);
export const roles = Object.values(Role);
export const statusClasses = Object.values(StatusClass);
export const subscriptionStatuses = Object.values(SubscriptionStatus);
