import { describe, it } from 'node:test';
import { expectTypeOf } from 'expect-type';
import type {
  ApiError,
  BillingItem,
  ChargeType,
  Employee,
  Event,
  List,
  Sync,
  SyncFailedError,
  SyncPreview,
  SyncRecord,
  TransitBenefits,
  verifyWebhook,
} from '../../sdk/src/index.ts';

type Client = TransitBenefits;

/** `npm run types` checks these. */
describe('the types of the client library', () => {
  it('describe lists', () => {
    expectTypeOf<ReturnType<Client['employees']['list']>>().toEqualTypeOf<List<Employee>>();
    expectTypeOf<Employee['subscription']['status']>().toEqualTypeOf<
      'no-subscription' | 'scheduled' | 'active' | 'scheduled-pause' | 'paused' | 'scheduled-cancellation' | 'cancelled'
    >();
    expectTypeOf<Parameters<Client['employees']['list']>[0]>().not.toExtend<{ page: number }>();
    expectTypeOf<{ statuses: ['active'] }>().toExtend<Parameters<Client['employees']['list']>[0]>();
    expectTypeOf<{ statuses: ['aktiv'] }>().not.toExtend<Parameters<Client['employees']['list']>[0]>();
    expectTypeOf<Employee['ticket']>().toBeNullable();
  });

  it('tell what a sync returns by its options', () => {
    const check = async ({ hrIntegrations }: Client) => {
      expectTypeOf(await hrIntegrations.sync(1, [], { dryRun: true })).toEqualTypeOf<SyncPreview>();
      expectTypeOf(await hrIntegrations.sync(1, [], { wait: true })).toEqualTypeOf<Sync>();
      expectTypeOf(await hrIntegrations.sync(1, [])).toEqualTypeOf<{ syncId: string }>();
      // @ts-expect-error An entry needs an email address.
      await hrIntegrations.sync(1, [{ hrId: 'E1', firstName: 'Anna', lastName: 'Muster' }]);
    };
    expectTypeOf(check).toBeFunction();
  });

  it('describe streams', () => {
    expectTypeOf<ReturnType<Client['billing']['export']>>().toExtend<AsyncIterable<BillingItem>>();
    expectTypeOf<Parameters<Client['billing']['export']>[1]>().toEqualTypeOf<ChargeType>();
    expectTypeOf<ReturnType<Client['events']['follow']>>().toExtend<AsyncIterable<Event>>();
  });

  it('tell the payload of an event by its type', () => {
    type Issued = Extract<Event, { type: 'tickets-issued' }>;
    expectTypeOf<Issued['payload']['tickets']>().toBeNumber();
    expectTypeOf<Awaited<ReturnType<typeof verifyWebhook>>>().toEqualTypeOf<Event>();
  });

  it('describe errors', () => {
    expectTypeOf<ApiError>().toExtend<Error>();
    expectTypeOf<'rate-limited'>().toExtend<ApiError['code']>();
    expectTypeOf<ApiError['status']>().toBeNumber();
    expectTypeOf<ApiError['remedy']>().toBeString();
    expectTypeOf<ApiError['requestId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<SyncFailedError['failedRecords']>().toEqualTypeOf<readonly SyncRecord[]>();
  });
});
