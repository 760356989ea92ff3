import { eventTypes } from '../../domain/enums.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { argument, companyId, id, listOf, required, sequence, text } from '../../platform/cli/options.ts';

const one = {
  id: argument('The id of the webhook', id('Id of the webhook')),
  company: required(companyId()),
};

const webhook: CommandGroup = {
  description: 'Send the events of a company to a URL, and send them again',
  commands: {
    create: command({
      description: 'Create a webhook. The secret that signs its deliveries is shown only once.',
      options: {
        company: required(companyId()),
        url: required(text('url', 'Where events are sent: https, port 443 or 1024 to 65535, at a public address')),
        types: listOf('list', eventTypes, 'Comma-separated types of events (default: all)'),
        description: text('text', 'What it is for'),
      },
      examples: [
        'webhook create --company 1 --url https://example.com/webhooks',
        'webhook create --company 1 --url https://example.com/webhooks --types sync-finished,invoice-issued',
      ],
      load: async () => (await import('../../features/webhooks/commands.ts')).createWebhook,
    }),
    list: command({
      description: 'List the webhooks of a company and their state.',
      options: { company: required(companyId()) },
      examples: ['webhook list --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).listWebhooks,
    }),
    test: command({
      description: 'Send a test event to a webhook.',
      options: one,
      examples: ['webhook test 1 --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).testWebhook,
    }),
    rotate: command({
      description: 'Give a webhook a new secret, which is shown only once. Both sign for 24 hours.',
      options: one,
      examples: ['webhook rotate 1 --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).rotateWebhook,
    }),
    enable: command({
      description: 'Enable a webhook. It resumes with the events that are still kept.',
      options: one,
      examples: ['webhook enable 1 --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).enableWebhook,
    }),
    disable: command({
      description: 'Disable a webhook. Its events wait until it is enabled.',
      options: one,
      examples: ['webhook disable 1 --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).disableWebhook,
    }),
    delete: command({
      description: 'Delete a webhook with its delivery log.',
      options: one,
      examples: ['webhook delete 1 --company 1'],
      load: async () => (await import('../../features/webhooks/commands.ts')).deleteWebhook,
    }),
    replay: command({
      description: 'Deliver events again that are still kept, also those that were delivered.',
      options: {
        ...one,
        from: required(sequence('Sequence of the first event')),
        to: sequence('Sequence of the last event (default: the newest)'),
      },
      examples: ['webhook replay 1 --company 1 --from 100 --to 200'],
      load: async () => (await import('../../features/webhooks/commands.ts')).replayWebhook,
    }),
  },
};

export const webhookCommands = { webhook };
