import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTicketSigner, verifyTicketCode } from '../../../src/features/wallet/ticket-code.ts';
import { commandsIn } from '../../support/commands.ts';
import { withFolder } from '../../support/process.ts';

const claims = { companyId: 1, ticketId: 'DT-202611-000001' };
const signer = createTicketSigner('a secret of one environment, long enough', false);
const other = createTicketSigner('a secret of another environment, long enough', false);

describe('the code of a ticket', () => {
  const code = signer.sign(claims);

  it('is verified by the public key alone', () => {
    assert.deepEqual(verifyTicketCode(code, signer.publicKey), {
      ...{ problem: null, keyId: signer.keyId, isTest: false, claims },
    });
    assert.equal(createTicketSigner('a secret of one environment, long enough', false).sign(claims), code);
    assert(code.length < 130, 'it fits a QR code that phones read');
  });

  it('says that it was made for tests, which nobody can remove', () => {
    const test = createTicketSigner('a secret of one environment, long enough', true);
    const marked = test.sign(claims);
    assert(marked.startsWith('TB1T.'));
    const verdict = verifyTicketCode(marked, test.publicKey);
    assert.deepEqual(verdict, { problem: null, keyId: signer.keyId, isTest: true, claims });
    assert.match(verifyTicketCode(marked.replace('TB1T', 'TB1'), test.publicKey).problem ?? '', /^The signature is/);
    assert.match(verifyTicketCode(code.replace('TB1', 'TB1T'), test.publicKey).problem ?? '', /^The signature is/);
  });

  it('is refused with another key, and names the one it was signed with', () => {
    const { problem } = verifyTicketCode(code, other.publicKey);
    assert.equal(problem, `The code is signed with the key ${signer.keyId}, not with this one.`);
    assert.match(verifyTicketCode(code, 'nonsense').problem ?? '', /^The public key must be 64 hexadecimal digits/);
  });

  it('is refused when any character differs', () => {
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'];
    const change = fc.record({ at: fc.nat(code.length - 1), to: fc.constantFrom(...characters) });
    fc.assert(
      fc.property(change, ({ at, to }) => {
        fc.pre(code[at] !== to);
        // The last character of a part contains bits that base64 ignores, so codes that decode to the same bytes are
        // equal.
        const changed = `${code.slice(0, at)}${to}${code.slice(at + 1)}`;
        const bytes = (text: string) => Buffer.from(text.split('.')[4] ?? '', 'base64url').toString('hex');
        fc.pre(at < code.length - 1 || bytes(changed) !== bytes(code));
        assert.notEqual(verifyTicketCode(changed, signer.publicKey).problem, null);
      }),
    );
  });

  it('cannot be derived from the ticket number', () => {
    for (const text of ['', 'DT-202611-000001', `TB1.${signer.keyId}.1.DT-202611-000001.${'A'.repeat(86)}`]) {
      assert.notEqual(verifyTicketCode(text, signer.publicKey).problem, null);
    }
  });

  it('is verified at the command line, with the key of the environment or a given one', () =>
    withFolder(async (folder) => {
      const secret = 'k3Vb8T0l8Hn2qkqk1dYJqGx3m5rU0c6bq3Wn9tYzKQeLs';
      const { succeed, fail } = commandsIn({ DATA_DIR: folder, SECRET: secret });
      const made = createTicketSigner(secret, true);
      const { publicKey, keyId, algorithm } = await succeed('ticket', 'public-key');
      assert.deepEqual([publicKey, keyId, algorithm], [made.publicKey, made.keyId, 'Ed25519']);
      const verified = { signature: 'valid', keyId, isTest: true, ...claims };
      assert.deepEqual(await succeed('ticket', 'verify', '--code', made.sign(claims)), verified);
      const given = ['--code', code, '--public-key', signer.publicKey];
      assert.equal((await succeed('ticket', 'verify', ...given)).keyId, signer.keyId);
      assert.match(await fail('ticket', 'verify', '--code', code), /^The code is signed with the key/);
      assert.match(await fail('ticket', 'verify', '--code', 'DT-202611-000001'), /^This is not the code of a ticket/);
    }));
});
