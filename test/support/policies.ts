import assert from 'node:assert/strict';
import type { PortalClient } from './portal.ts';

export const newPolicy = {
  ...{ name: 'Policy', groups: ['Berlin'], from: '2030-01-01' },
  terms: {
    ...{ planType: 'fully-subsidized-plan', employeeCents: null, employerCents: null, employerPercent: null },
    ...{ minimumCents: null, maximumCents: null, waitingMonths: 0, taxTreatment: null },
  },
};
export const policyChange = { from: '2031-01-01', terms: null, deadline: null, noAnswer: 'keep' };

/** Creates a policy with a change that concerns nobody. */
export async function makePolicy(client: PortalClient, name: string): Promise<{ policy: number; change: number }> {
  const created = await client.post('/policies', { ...newPolicy, name, groups: [name] });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const policy = created.body.data.id;
  const began = await client.post(`/policies/${policy}/changes`, { ...policyChange, from: '2030-02-01', confirm: 0 });
  assert.equal(began.status, 201, JSON.stringify(began.body));
  return { policy, change: began.body.data.id };
}
