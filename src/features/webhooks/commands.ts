import { eventTypes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { argument, id, listOf, required, sequence, text } from '../../platform/cli/options.ts';
import { companyCommand } from '../company-command.ts';

const one = { id: argument('The id of the webhook endpoint', id('Id of the webhook endpoint')) };

export const webhookEndpointCommands: CommandGroup = {
  description: 'Set up where the events of a company are sent, and send them again',
  commands: {
    create: companyCommand({
      description: 'Create a webhook endpoint. The secret that signs its deliveries is shown only once.',
      options: {
        url: required(text('url', 'Where events are sent: https, port 443 or 1024 to 65535, at a public address')),
        types: listOf('list', eventTypes, 'Comma-separated types of events (default: all)'),
        description: text('text', 'What it is for'),
      },
      examples: [
        'webhook-endpoint create --company 1 --url https://example.com/webhooks',
        'webhook-endpoint create --company 1 --url https://example.com/webhooks --types sync-finished,invoice-issued',
      ],
      async load() {
        const { createEndpoint } = await import('./save-endpoint.ts');
        return (context, { types: eventTypes = [], description = '', url }) =>
          createEndpoint(context, { url, eventTypes, description });
      },
    }),
    list: companyCommand({
      description: 'List the webhook endpoints of a company and their state.',
      examples: ['webhook-endpoint list --company 1'],
      load: async () => (await import('./list-endpoints.ts')).listEndpoints,
    }),
    test: companyCommand({
      description: 'Send a test event to a webhook endpoint.',
      options: one,
      examples: ['webhook-endpoint test 1 --company 1'],
      load: async () => (await import('./send-events.ts')).sendTestEvent,
    }),
    rotate: companyCommand({
      description: 'Give a webhook endpoint a new secret, which is shown only once. Both sign for 24 hours.',
      options: one,
      examples: ['webhook-endpoint rotate 1 --company 1'],
      load: async () => (await import('./rotate-secret.ts')).rotateSecret,
    }),
    enable: companyCommand({
      description: 'Enable a webhook endpoint. It resumes with the events that are still kept.',
      options: one,
      examples: ['webhook-endpoint enable 1 --company 1'],
      load: async () => (await import('./set-state.ts')).enableEndpoint,
    }),
    disable: companyCommand({
      description: 'Disable a webhook endpoint. Its events wait until it is enabled.',
      options: one,
      examples: ['webhook-endpoint disable 1 --company 1'],
      load: async () => (await import('./set-state.ts')).disableEndpoint,
    }),
    delete: companyCommand({
      description: 'Delete a webhook endpoint with its delivery log.',
      options: one,
      examples: ['webhook-endpoint delete 1 --company 1'],
      load: async () => (await import('./delete-endpoint.ts')).deleteEndpoint,
    }),
    replay: companyCommand({
      description: 'Deliver events again that are still kept, also those that were delivered.',
      options: {
        ...one,
        from: required(sequence('Sequence of the first event')),
        to: sequence('Sequence of the last event (default: the newest)'),
      },
      examples: ['webhook-endpoint replay 1 --company 1 --from 100 --to 200'],
      load: async () => (await import('./send-events.ts')).replayEvents,
    }),
  },
};
