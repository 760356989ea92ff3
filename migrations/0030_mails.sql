-- Mails that wait to be sent, and which were sent (docs/decisions/0044-mail.md). Written in the transaction of the change that
-- they are about. No operation of the API shows this table, so a change of it alone is not counted in company_versions.
create table mails (
  company_id bigint not null references companies,
  -- Names the occasion, such as invitation/17, without personal data: there is one mail per occasion.
  key text collate "C" not null,
  template text not null,
  language text not null check (language in ('de', 'en')),
  -- Null: erased.
  recipient text,
  -- What the template needs, which may contain a link that gives access. Encrypted and bound to this row (src/encryption.ts).
  -- Null as soon as the mail is not to be sent any more.
  encrypted_values text,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'expired', 'cancelled')),
  attempts integer not null default 0,
  -- When the next attempt is due. While a worker makes one, this is when another worker takes over if it gets no result.
  next_attempt_at timestamptz,
  -- A mail that could not be sent by then is not worth sending any more.
  expires_at timestamptz not null,
  -- The code of the last failure, without the text of the mail server, which may name the address.
  last_error text,
  -- Times are real time, also on a staging environment whose clock was moved.
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (company_id, key),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'pending') = (encrypted_values is not null))
);
create index mails_pending on mails (company_id, next_attempt_at) where state = 'pending';
create index mails_by_recipient on mails (company_id, recipient) where recipient is not null;
