import {
  ActorType,
  ChargeType,
  DeliveryState,
  EventType,
  Permission,
  PlanType,
  RecordOutcome,
  Role,
  SubscriptionStatus,
} from './types.gen.ts';

/** The enums that pages list, such as the choices of a filter. */
export const actorTypes = Object.values(ActorType);
export const chargeTypes = Object.values(ChargeType);
export const deliveryStates = Object.values(DeliveryState);
export const eventTypes = Object.values(EventType);
export const permissions = Object.values(Permission);
export const planTypes = Object.values(PlanType);
export const recordOutcomes = Object.values(RecordOutcome);
export const roles = Object.values(Role);
export const subscriptionStatuses = Object.values(SubscriptionStatus);
