import { hrIdAttributes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { flag, id, oneOf, required } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

const one = { integration: required(id('Id of the integration')) };

export const scimCommands: CommandGroup = {
  description: 'Let an identity provider keep a roster by SCIM',
  commands: {
    token: companyCommand({
      description:
        'Create the token of an integration, which is shown only once. An earlier one works for another 24 hours.',
      options: { ...one, revoke: flag('End the token, and the one before, instead') },
      examples: ['scim token --company 1 --integration 1', 'scim token --company 1 --integration 1 --revoke'],
      async load() {
        const { createScimToken, revokeScimToken } = await import('./tokens.ts');
        return (context, { integration, revoke }) =>
          revoke ? revokeScimToken(context, { id: integration }) : createScimToken(context, { id: integration });
      },
    }),
    set: companyCommand({
      description: 'Set which attribute of a user is the HR id.',
      options: { ...one, hrId: required(oneOf('attribute', hrIdAttributes, 'The attribute')) },
      examples: ['scim set --company 1 --integration 1 --hr-id externalId'],
      async load() {
        const { setHrIdAttribute } = await import('./state.ts');
        return (context, { integration, hrId }) => setHrIdAttribute(context, { id: integration, hrIdAttribute: hrId });
      },
    }),
    show: companyCommand({
      description: 'Show the state of SCIM of an integration.',
      options: one,
      examples: ['scim show --company 1 --integration 1'],
      async load() {
        const { readScimState } = await import('./state.ts');
        return (context, { integration }) => readScimState(context, { id: integration });
      },
    }),
  },
};
