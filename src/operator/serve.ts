import type { CommandContext } from '../platform/cli/define.ts';
import type { Config } from '../platform/config/config.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { openLog } from '../platform/telemetry/log.ts';
import { startService, startWorkerAlone } from '../processes/service.ts';
import type { DemoAccess } from './demo/access-file.ts';
import { ensureDemo } from './demo/index.ts';
import { createDemoLink } from './demo/my-link.ts';

interface Announced extends Partial<DemoAccess> {
  /** A link to the page of an employee of the demo. */
  myLink?: string | undefined;
}

function announce({ environment, publicUrl, portal }: Config, { key, login, myLink }: Announced): string {
  const lines = [
    '',
    `  Employee Transit Ticket Benefits (${environment}) is ready.`,
    '',
    ...(portal ? [`  Portal      ${publicUrl}`] : []),
    `  API         ${publicUrl}/v1`,
    `  Reference   ${publicUrl}/docs`,
    `  OpenAPI     ${publicUrl}/v1/openapi.json`,
  ];
  if (login !== undefined && portal) {
    lines.push('', '  Demo login', `    email     ${login.email}`, `    password  ${login.password}`);
  }
  if (myLink !== undefined && portal) {
    lines.push('', '  Page of a demo employee (opens once, within 30 minutes)', `    ${myLink}`);
  }
  if (key !== undefined) {
    lines.push(
      '',
      '  Demo API key',
      `    username  ${key.username}`,
      `    password  ${key.password}`,
      '',
      '  Try it:',
      `    export KEY='${key.username}:${key.password}'`,
      `    curl -u "$KEY" '${publicUrl}/v1/employees?perPage=2'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** Resolves when the operator requests a stop. A second request does not speed it up. */
const stopRequested = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });

async function stopInTime(service: { stop(): Promise<void> }, timeoutMillis: number): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const late = new OperatorError(
    'Some requests or jobs did not finish in time. The process stopped without them. Raise STOP_TIMEOUT_MS if that happens often.',
  );
  const timer = setTimeout(() => reject(late), timeoutMillis);
  try {
    await Promise.race([service.stop(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export async function serve(_options: unknown, { config, stdout }: CommandContext): Promise<void> {
  const { log, tracing } = await openLog(config);
  const stopped = stopRequested();
  const service = await startService(config, log, tracing);
  try {
    const access = config.demo ? await ensureDemo(service, config, service.clock) : {};
    const myLink = config.demo ? await createDemoLink(service, access) : undefined;
    stdout.write(announce({ ...config, publicUrl: service.publicUrl }, { ...access, myLink }));
  } catch (error) {
    await service.stop();
    throw error;
  }
  log.info({ address: service.address }, 'listening');
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await stopInTime(service, config.stopDelayMillis + config.stopTimeoutMillis);
  await tracing?.stop();
  log.info('stopped');
  log.flush();
}

export async function runWorker(_options: unknown, { config, stdout }: CommandContext): Promise<void> {
  const { log, tracing } = await openLog(config);
  const stopped = stopRequested();
  const running = await startWorkerAlone(config, log, tracing);
  stdout.write('Working on jobs. Stop with Ctrl-C.\n');
  log.info('worker started');
  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await stopInTime(running, config.stopTimeoutMillis);
  await tracing?.stop();
  log.info('stopped');
  log.flush();
}
