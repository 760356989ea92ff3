import { once } from 'node:events';
import type { CommandContext } from '../../../platform/cli/define.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { startFakeIssuer } from './fake-issuer.ts';

interface Options {
  port: number | undefined;
  late: number | undefined;
  perSecond: number | undefined;
}

/** Runs a fake issuer until the process is told to stop. Prints how a company orders from it. */
export async function serveFakeIssuer(
  { port = 4010, late = 0, perSecond = 0 }: Options,
  { config, stdout }: Pick<CommandContext, 'config' | 'stdout'>,
): Promise<void> {
  if (config.environment === 'production') {
    throw new OperatorError('A fake issuer issues tickets that are valid nowhere. Start it on staging.');
  }
  await using issuer = await startFakeIssuer({ port, late, perSecond }).catch((error: Error) => {
    throw new OperatorError(`Port ${port} cannot be used (${error.message}). Choose another --port.`);
  });
  stdout.write(
    [
      `Fake issuer    ${issuer.url}`,
      `Token          ${issuer.token}`,
      `Faults         curl -d '{"outage":503}' ${issuer.url}/faults   (names: curl ${issuer.url}/faults)`,
      `Invoice        curl "${issuer.url}/invoice?month=2026-12"`,
      'Ctrl-C stops it.',
      '',
    ].join('\n'),
  );
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
}
