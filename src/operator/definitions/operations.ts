import { languages } from '../../domain/enums.ts';
import { companyCommand } from '../../features/company-command.ts';
import { lifecycleCommands, timeTravelCommand } from '../../features/daily-run/commands.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { argument, companyId, email, flag, oneOf, text } from '../../platform/cli/options.ts';

const job: CommandGroup = {
  description: 'See and release jobs that were set aside',
  commands: {
    list: command({
      description: 'List the jobs that ended their process twice and are not started again.',
      examples: ['job list'],
      load: async () => (await import('../job.ts')).listJobs,
    }),
    release: command({
      description: 'Let a job run again, after its cause has been found.',
      options: { id: argument('The id of the job', text('id', 'Id of the job')) },
      examples: ['job release 01890c5e-7c1d-4f6a-9f3e-2f1f6f0a4b11'],
      load: async () => (await import('../job.ts')).release,
    }),
  },
};

const counts: CommandGroup = {
  description: 'Check the stored counts',
  commands: {
    verify: command({
      description: 'Compare the stored counts with the rows that they count.',
      options: {
        company: companyId('Check only this company'),
        repair: flag('Replace the counts that differ'),
      },
      examples: ['counts verify', 'counts verify --company 1 --repair'],
      load: async () => (await import('../counts.ts')).verifyCounts,
    }),
  },
};

const secrets: CommandGroup = {
  description: 'Rotate the encryption of stored secrets',
  commands: {
    rotate: command({
      description: 'Encrypt every stored secret with SECRET that is still encrypted with SECRET_PREVIOUS.',
      options: { acceptLoss: flag('Leave secrets that cannot be decrypted, because the former SECRET is lost') },
      examples: ['secrets rotate', 'secrets rotate --accept-loss'],
      load: async () => (await import('../secrets.ts')).rotateStoredSecrets,
    }),
  },
};

const mail: CommandGroup = {
  description: 'Check the mail server, and choose which mails employees get',
  commands: {
    settings: companyCommand({
      description: 'Show which mails the employees of a company get, and change what is given.',
      options: {
        replyTo: text('address', 'Where answers go (empty: nowhere)'),
        on: text('kinds', 'Mails to switch on, such as ticket,invitation'),
        off: text('kinds', 'Mails to switch off'),
      },
      examples: ['mail settings --company 1', 'mail settings --company 1 --off ticket --reply-to hr@example.com'],
      load: async () => (await import('../../features/employee-mails/settings.ts')).setMails,
    }),
    test: command({
      description: 'Send a test mail to an address, without the worker.',
      options: {
        address: argument('The address', email('Address to send to')),
        language: oneOf('language', languages, 'Language of the mail (default: en)'),
      },
      examples: ['mail test ops@example.com'],
      load: async () => (await import('../../features/notices/commands.ts')).testMail,
    }),
  },
};

export const operationCommands = {
  lifecycle: lifecycleCommands,
  'time-travel': timeTravelCommand,
  job,
  counts,
  secrets,
  mail,
};
