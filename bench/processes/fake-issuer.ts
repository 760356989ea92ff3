import { type FakeIssuerOptions, startFakeIssuer } from '../../src/features/issuers/fake/fake-issuer.ts';

/** A fake of an issuer in a process of its own, so that it does not compete with what is measured. Prints its URL. */
const { url } = await startFakeIssuer(JSON.parse(process.argv[2] ?? '{}') as FakeIssuerOptions);
process.stdout.write(`${url}\n`);
