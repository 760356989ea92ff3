import { getCompany } from '../../companies/companies.ts';
import type { IssuerOrder } from '../contract.ts';
import { exchangeFiles } from '../exchange-files.ts';
import { writeOrderFiles } from '../order-files.ts';
import type { IssuerProvider } from './issuer.ts';

/**
 * An issuer that takes lists and returns lists. What is asked of it is stored with the orders: as soon as nothing more is
 * to be asked, `finish` writes the file that says so, and sends it if that is set up. Tickets come with the lists that it returns (returned-files.ts).
 */

const answer = (orderId: string, status: IssuerOrder['status']): IssuerOrder => ({
  ...{ orderId, status, ticket: null, failure: null },
});

export const orderList: IssuerProvider = {
  kind: 'order-list',
  settings: 'lists',
  open: (options) => ({
    isPolled: false,
    order: async ({ orderId }) => answer(orderId, 'ordered'),
    fetch: async (orderId) => answer(orderId, 'ordered'),
    cancel: async (orderId) => answer(orderId, 'blocked'),
    replace: async (_replaced, { orderId }) => answer(orderId, 'ordered'),
    // What the issuer has is what its lists say. They were compared when they came.
    async *list() {},
    async finish() {
      const { db, clock, companyId } = options;
      await writeOrderFiles(db, await getCompany(db, companyId), clock.now());
      return exchangeFiles(options);
    },
    close: async () => {},
  }),
};
