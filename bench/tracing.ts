import { info, type Metric } from '../harness/metrics.ts';
import { cpuMilliseconds, median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { startCollector } from '../test/support/otlp.ts';
import { companies, type Population } from './database.ts';
import { loadOnce, type Running, startService } from './processes/index.ts';
import { population, withSetting } from './setting.ts';

interface Plan {
  population: Population;
  rounds: number;
  seconds: number;
}

/** Returns the processor time of the API per request, in µs. Other work on the machine hardly changes it. */
async function measure({ url, pid }: Running, headers: Record<string, string>, seconds: number): Promise<number> {
  const before = await cpuMilliseconds(pid);
  const { sent } = await loadOnce(url, [{ path: '/employees', headers }], { connections: 4, seconds });
  return (((await cpuMilliseconds(pid)) - before) * 1_000) / sent;
}

/** Compares a service without traces, with all of them, and with a tenth of them, in turn. */
export const tracingScenario: Scenario<Plan> = {
  name: 'tracing',
  title: 'Processor time of the API per GET /employees with OpenTelemetry traces against none',
  plans: {
    full: { population: population.full, rounds: 7, seconds: 4 },
    quick: { population: population.quick, rounds: 1, seconds: 1 },
  },
  run: (plan) =>
    withSetting(plan.population, async ({ url, dataDir, service: off, headersOf }) => {
      const collector = await startCollector();
      const env = { DATABASE_URL: url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
      const services: [string, Running][] = [['no traces', off]];
      try {
        services.push(['all traces', await startService(dataDir, env)]);
        services.push(['a tenth of the traces', await startService(dataDir, { ...env, ...ratio })]);
        const headers = await headersOf(companies.thousand);
        const times = new Map<string, number[]>(services.map(([name]) => [name, []]));
        for (const [, service] of services) await measure(service, headers, Math.min(3, plan.seconds));
        for (let round = 0; round < plan.rounds; round++) {
          for (const [name, service] of services) times.get(name)?.push(await measure(service, headers, plan.seconds));
        }
        const middle = (name: string) => median(times.get(name) ?? []);
        return services.flatMap(([name]): Metric[] => [
          info(`${name}, µs per request`, middle(name)),
          ...(name === 'no traces' ? [] : [info(`${name} / none`, middle(name) / middle('no traces'))]),
        ]);
      } finally {
        for (const [, service] of services.slice(1)) await service.stop();
        await collector.stop();
      }
    }),
};
