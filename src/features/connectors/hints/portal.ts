import { IntegrationParams } from '../../integrations/contract.ts';
import { portalRoutes } from '../../portal-route.ts';
import { HintAddressSchema, HintSecretBody } from '../pull/contract.ts';
import { createHintAddress, deleteHintAddress, storeHintSecret } from './address.ts';

export const hintAddressRoutes = portalRoutes((route) => {
  const change = { access: 'integrations', params: IntegrationParams, problems: ['not-connectable'] } as const;

  route('POST /integrations/:id/hints', {
    ...change,
    summary: 'Create the address to which the HR system reports changes',
    description: 'In place of one that exists. It is shown once.',
    status: 201,
    data: HintAddressSchema,
    handle: (call) => createHintAddress(call, call.params),
  });

  route('POST /integrations/:id/hints/secret', {
    ...change,
    summary: 'Store with what the HR system signs its reports of changes',
    body: HintSecretBody,
    handle: (call) => storeHintSecret(call, { ...call.params, ...call.body }),
  });

  route('DELETE /integrations/:id/hints', {
    ...change,
    summary: 'End the address to which the HR system reports changes',
    handle: (call) => deleteHintAddress(call, call.params),
  });
});
