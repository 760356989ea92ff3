import { type Static, Type } from 'typebox';
import { employeeMailKinds, languages } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, Timestamp } from '../../platform/http/schemas.ts';

const MailSwitchSchema = Closed({ kind: Enum(employeeMailKinds), isOn: Type.Boolean() });

const ReplyTo = () =>
  Nullable(Type.String({ maxLength: 254 }), 'Where answers of employees go. Null: the mails ask for none.');

/** Whom mails to employees reach: everybody, nobody without a mail server, or on staging the listed addresses. */
const mailReaches = ['everybody', 'nobody', 'listed'] as const;

export const MailSettingsSchema = Closed({
  replyTo: ReplyTo(),
  mails: Type.Array(MailSwitchSchema, { description: 'Those that a company may switch off.' }),
  reaches: Enum(mailReaches),
});

export type MailSettings = Static<typeof MailSettingsSchema>;

export const MailSettingsBody = Closed({
  replyTo: Type.Optional(ReplyTo()),
  mails: Type.Optional(Type.Array(MailSwitchSchema, { maxItems: employeeMailKinds.length })),
});

export type MailSettingsBody = Static<typeof MailSettingsBody>;

export const KeptMailsQuery = Type.Object({
  employeeId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

export const KeptMailsSchema = Closed({
  total: Type.Integer({ description: 'How many are kept. The newest are listed.' }),
  mails: Type.Array(
    Closed({
      employee: Closed({ id: Type.Integer(), name: Type.String(), email: Type.String() }),
      kind: Enum(employeeMailKinds),
      occasion: Type.String(),
      language: Enum(languages),
      at: Timestamp('When it would have been sent.'),
      reason: Enum(['not-allowed', 'no-mail-server']),
      subject: Type.String(),
      text: Type.String(),
      url: Nullable(Type.String(), 'The link of the mail, which works.'),
    }),
  ),
});

export type KeptMails = Static<typeof KeptMailsSchema>;
