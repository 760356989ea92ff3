import type { CommandGroup } from '../../../platform/cli/define.ts';
import { required, text } from '../../../platform/cli/options.ts';
import { companyCommand } from '../../company-command.ts';

export const ssoCommands: CommandGroup = {
  description: 'Manage single sign-on of companies',
  commands: {
    show: companyCommand({
      description: 'Show the single sign-on of a company and its domains.',
      examples: ['sso show --company 1'],
      load: async () => (await import('./manage.ts')).showSso,
    }),
    'prove-domain': companyCommand({
      description: 'Record that a domain belongs to a company, in place of its TXT record.',
      options: { domain: required(text('domain', 'Domain of the addresses')) },
      examples: ['sso prove-domain --company 1 --domain example.com'],
      load: async () => (await import('./manage.ts')).addProvenDomain,
    }),
    remove: companyCommand({
      description: 'Remove single sign-on, so that the users of a company sign in with passwords again.',
      examples: ['sso remove --company 1'],
      load: async () => (await import('./manage.ts')).removeSso,
    }),
  },
};
