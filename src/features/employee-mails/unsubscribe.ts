import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EmployeeMailKind, Language } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import type { App } from '../../platform/http/app.ts';
import { plainPageHeaders, renderPlainPage } from '../../platform/http/plain-page.ts';
import { findReaderLanguage } from '../../platform/http/reader-language.ts';
import { insertAudit } from '../activity/record.ts';
import type { AppContext } from '../context.ts';
import { changeMailSwitches, readEmployeeLanguage } from './switches.ts';
import { parseUnsubscribeToken, type Unsubscription } from './unsubscribe-token.ts';

const texts = {
  de: {
    title: 'E-Mails abbestellen',
    question: {
      ticket: 'Möchten Sie keine E-Mails über neue Tickets mehr?',
      invitation: 'Möchten Sie keine Einladungen zum Jobticket mehr?',
    },
    consequence: 'An Ihrem Ticket ändert das nichts. Auf Ihrer Seite können Sie die E-Mails wieder einschalten.',
    button: 'Abbestellen',
    done: 'Abbestellt',
    doneText: 'Sie bekommen diese E-Mails nicht mehr.',
    invalid: 'Dieser Link ist ungültig',
    invalidText: 'Öffnen Sie den ganzen Link aus der E-Mail. Oder schalten Sie E-Mails auf Ihrer Seite ab.',
  },
  en: {
    title: 'Unsubscribe',
    question: {
      ticket: 'Do you not want mails about new tickets any more?',
      invitation: 'Do you not want invitations to the transit ticket any more?',
    },
    consequence: 'Your ticket stays as it is. You can switch the mails on again on your page.',
    button: 'Unsubscribe',
    done: 'Unsubscribed',
    doneText: 'You will not get these mails any more.',
    invalid: 'This link is not valid',
    invalidText: 'Open the whole link from the mail. Or switch mails off on your page.',
  },
} as const satisfies Record<Language, unknown>;

const page = (language: Language, title: string, paragraphs: readonly string[], form = '') =>
  renderPlainPage(language, title, `<h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}${form}`);

const topicOf = (kind: EmployeeMailKind) => (kind === 'ticket' ? 'ticket' : 'invitation');

/** Programs send more than the one field of RFC 8058. What they send does not matter. */
const maxBodyBytes = 4_096;

/**
 * Registers the page that the link of a mail opens. It works without signing in. Opening it changes nothing, because
 * programs that check mails open every link; only its button, or the one click of a mail program (RFC 8058), does.
 */
export async function registerUnsubscribe(
  app: App,
  { db, encryption, clock }: Pick<AppContext, 'db' | 'encryption' | 'clock'>,
): Promise<void> {
  type Request = FastifyRequest<{ Params: { token: string } }>;
  const send = (reply: FastifyReply, code: number, content: string) =>
    reply
      .code(code)
      .headers({ ...plainPageHeaders("'self'"), 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .send(content);

  const languageOf = async (request: Request, { companyId, employeeId }: Unsubscription): Promise<Language> => {
    const { language, isChosen } = await readEmployeeLanguage(db, companyId, employeeId);
    return isChosen ? language : (findReaderLanguage(request.headers['accept-language']) ?? language);
  };

  function sendInvalid(request: Request, reply: FastifyReply) {
    const t = texts[findReaderLanguage(request.headers['accept-language']) ?? 'en'];
    return send(reply, 404, page(t === texts.de ? 'de' : 'en', t.invalid, [t.invalidText]));
  }

  async function unsubscribe({ companyId, employeeId, kind }: Unsubscription): Promise<void> {
    await writeCompany(db, companyId, async (tx) => {
      const found = await tx
        .selectFrom('employees as e')
        .select('e.switched_off_mails as switchedOff')
        .where(ofCompany(companyId, 'e'))
        .where('e.id', '=', employeeId)
        .forUpdate()
        .executeTakeFirst();
      if (found === undefined || found.switchedOff.includes(kind)) return;
      await changeMailSwitches(tx, companyId, employeeId, [{ kind, isOn: false }]);
      await insertAudit(tx, companyId, {
        action: 'employee.change-mails',
        target: String(employeeId),
        detail: { kind, isOn: false },
        actor: { type: 'employee', name: String(employeeId) },
        at: clock.now(),
      });
    });
  }

  await app.register(
    async (scope) => {
      const options = { config: { public: true, limit: 'unsubscribe' }, schema: { hide: true } } as const;
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, _body, done) =>
        done(null),
      );
      scope.get('/:token', options, async (request: Request, reply) => {
        const token = parseUnsubscribeToken(encryption, request.params.token);
        if (token === undefined) return sendInvalid(request, reply);
        const language = await languageOf(request, token);
        const t = texts[language];
        const form = `<form method="post"><button type="submit">${t.button}</button></form>`;
        return send(reply, 200, page(language, t.title, [t.question[topicOf(token.kind)], t.consequence], form));
      });
      scope.post('/:token', options, async (request: Request, reply) => {
        const token = parseUnsubscribeToken(encryption, request.params.token);
        if (token === undefined) return sendInvalid(request, reply);
        await unsubscribe(token);
        const language = await languageOf(request, token);
        const t = texts[language];
        return send(reply, 200, page(language, t.done, [t.doneText]));
      });
    },
    { prefix: '/unsubscribe' },
  );
}
