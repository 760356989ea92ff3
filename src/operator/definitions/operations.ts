import { feeTypes, invoiceFormats, languages } from '../../domain/enums.ts';
import { correctionReasons } from '../../features/billing/rules/correction-codes.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import {
  argument,
  cents,
  companyId,
  day,
  email,
  flag,
  id,
  month,
  oneOf,
  required,
  text,
} from '../../platform/cli/options.ts';

const lifecycle: CommandGroup = {
  description: 'Run what the worker does every day',
  commands: {
    run: command({
      description: 'Process the days that are due. The worker does this automatically.',
      examples: ['lifecycle run'],
      load: async () => (await import('../../features/daily-run/commands.ts')).runLifecycle,
    }),
  },
};

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

const billing: CommandGroup = {
  description: 'Bill and correct periods',
  commands: {
    run: command({
      description: 'Bill what is not billed yet in a period. The daily run does this automatically.',
      options: { company: required(companyId()), period: required(month('First day of the period')) },
      examples: ['billing run --company 1 --period 2026-11-01'],
      load: async () => (await import('../../features/billing/commands.ts')).runBilling,
    }),
    correct: command({
      description: 'Reverse a billing item with a correction in the current month.',
      options: {
        item: required(id('Id of the billing item')),
        reason: required(
          text(
            'text',
            `Reason, which the company can read: any text, or ${correctionReasons.join(', ')}, which the portal translates`,
          ),
        ),
        company: companyId('Id of the company. Given: the item must belong to it'),
      },
      examples: ['billing correct --item 17 --reason refunded', 'billing correct --item 17 --reason "Left in October"'],
      load: async () => (await import('../../features/billing/commands.ts')).correctItem,
    }),
  },
};

const payroll: CommandGroup = {
  description: 'Export payroll files, and void the latest one',
  commands: {
    preview: command({
      description: 'Show what an export would contain, and everybody who cannot be exported. Changes nothing.',
      options: { company: required(companyId()), period: required(month('First day of the period')) },
      examples: ['payroll preview --company 1 --period 2026-11-01'],
      load: async () => (await import('../../features/payroll/commands.ts')).showPayrollPreview,
    }),
    export: command({
      description: 'Export what no export contains yet. Without anything new, returns the latest export of the period.',
      options: { company: required(companyId()), period: required(month('First day of the period')) },
      examples: ['payroll export --company 1 --period 2026-11-01'],
      load: async () => (await import('../../features/payroll/commands.ts')).makePayrollExport,
    }),
    download: command({
      description: 'Write the file of an export.',
      options: {
        id: argument('The id of the export', id('Id of the export')),
        company: required(companyId()),
        out: required(text('file', 'File to write')),
      },
      examples: ['payroll download 1 --company 1 --out lodas.txt'],
      load: async () => (await import('../../features/payroll/commands.ts')).downloadPayrollExport,
    }),
    void: command({
      description: 'Void the latest export of a company. The next one contains its lines again.',
      options: {
        id: argument('The id of the export', id('Id of the export')),
        company: required(companyId()),
        reason: required(text('text', 'Reason, which the company can read')),
      },
      examples: ['payroll void 1 --company 1 --reason "Wrong month"'],
      load: async () => (await import('../../features/payroll/commands.ts')).voidExport,
    }),
  },
};

const price: CommandGroup = {
  description: 'List and set prices',
  commands: {
    list: command({
      description: 'List the prices of tickets and fees.',
      examples: ['price list'],
      load: async () => (await import('../../features/billing/price-commands.ts')).listPrices,
    }),
    set: command({
      description:
        'Set a price from a month on that is not billed yet. Names the companies that lose or gain the discount by a new ticket price.',
      options: {
        charge: required(oneOf('type', ['ticket-charge', ...feeTypes], 'What is charged')),
        from: required(month('First month of the price')),
        cents: required(cents('The price')),
        force: flag('Accept a price of 0'),
      },
      examples: ['price set --charge ticket-charge --from 2027-01-01 --cents 6500'],
      load: async () => (await import('../../features/billing/price-commands.ts')).setPrice,
    }),
  },
};

const invoice: CommandGroup = {
  description: 'List and download invoices',
  commands: {
    list: command({
      description: 'List the invoices and credit notes of a company.',
      options: { company: required(companyId()) },
      examples: ['invoice list --company 1'],
      load: async () => (await import('../../features/invoices/commands.ts')).listInvoices,
    }),
    download: command({
      description: 'Save a file of an invoice.',
      options: {
        id: argument('The id of the invoice', id('Id of the invoice')),
        company: required(companyId()),
        format: required(oneOf('format', invoiceFormats, 'PDF with embedded XML, XRechnung, or only the embedded XML')),
        out: required(text('file', 'File to write')),
      },
      examples: ['invoice download 1 --company 1 --format pdf --out invoice.pdf'],
      load: async () => (await import('../../features/invoices/commands.ts')).downloadInvoice,
    }),
  },
};

const operator: CommandGroup = {
  description: 'Set what the operator states on invoices',
  commands: {
    set: command({
      description: 'Set the name, address, tax and bank data that stand on invoices from now on.',
      options: { seller: required(text('file', 'JSON file with the data of the seller')) },
      examples: ['operator set --seller seller.json'],
      load: async () => (await import('../../features/invoices/seller-commands.ts')).setOperator,
    }),
    show: command({
      description: 'Show the data of the seller.',
      examples: ['operator show'],
      load: async () => (await import('../../features/invoices/seller-commands.ts')).showOperator,
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
  description: 'Check the mail server',
  commands: {
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

const ticket: CommandGroup = {
  description: 'Verify the QR codes of tickets',
  commands: {
    'public-key': command({
      description: 'Print the public key with which inspectors verify the QR codes of tickets.',
      examples: ['ticket public-key'],
      load: async () => (await import('../../features/tickets/commands.ts')).showPublicKey,
    }),
    verify: command({
      description: 'Check the signature of a QR code and print its content.',
      options: {
        code: required(text('code', 'Content of the QR code, which starts with TB1.')),
        publicKey: text('key', 'Public key to check with (default: the key of this service)'),
      },
      examples: ['ticket verify --code TB1.…'],
      load: async () => (await import('../../features/tickets/commands.ts')).verifyTicket,
    }),
  },
};

const timeTravel = command({
  description: 'Move the clock of a staging environment forward and process every day on the way.',
  options: { to: required(day('Day to move to')) },
  examples: ['time-travel --to 2027-01-02'],
  load: async () => (await import('../../features/daily-run/commands.ts')).timeTravel,
});

export const billingCommands = { billing, payroll, price, invoice, operator };
export const operationCommands = { lifecycle, 'time-travel': timeTravel, job, counts, secrets, mail, ticket };
