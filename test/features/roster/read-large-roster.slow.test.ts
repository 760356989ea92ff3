import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { readRoster } from '../../../src/features/roster/read-roster.ts';
import { readEntries } from '../../../src/features/roster/roster-parts.ts';
import type { ApiError } from '../../../src/platform/http/errors.ts';
import { pluck } from '../../support/pluck.ts';
import { entries, limits } from '../../support/roster-entries.ts';

describe('a roster of 250,000 entries', () => {
  /** Generates the body while it is read, so that the measured memory is that of the reader. */
  async function* body(change: (item: object) => object = (item) => item) {
    yield Buffer.from('{"syncId":"large","employees":[');
    for (let from = 0; from < 250_000; from += 250) {
      const list = JSON.stringify(entries(250, from).map(change)).slice(1, -1);
      yield Buffer.from(from === 0 ? list : `,${list}`);
    }
    yield Buffer.from(']}');
  }

  /**
   * Measures CPU time between two turns. Unlike the event loop's delay, it does not depend on the machine's other load.
   */
  async function measure<T>(work: Promise<T>) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const turns: number[] = [];
    let [isDone, peak] = [false, 0];
    let before = process.threadCpuUsage();
    const began = performance.now();
    const rss = process.memoryUsage.rss();
    const tick = () => {
      const now = process.threadCpuUsage();
      turns.push((now.user + now.system - before.user - before.system) / 1000);
      before = now;
      if (turns.length % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss());
      if (!isDone) setImmediate(tick);
    };
    delay.enable();
    setImmediate(tick);
    const result = await work.finally(() => {
      isDone = true;
    });
    delay.disable();
    const busy = turns.filter((ms) => ms > 0.1).sort((a, b) => a - b);
    const cpuMs = { p99: busy[Math.floor(busy.length * 0.99)] ?? 0, max: busy.at(-1) ?? 0 };
    const rounded = (value: number) => Math.round(value * 10) / 10;
    const figures = [
      `${Math.round(performance.now() - began)} ms`,
      `${busy.length} turns`,
      `CPU per turn p99 ${rounded(cpuMs.p99)} ms, max ${rounded(cpuMs.max)} ms`,
      `event loop delay p99 ${rounded(delay.percentile(99) / 1e6)} ms, max ${rounded(delay.max / 1e6)} ms`,
      `memory +${Math.round((peak - rss) / 2 ** 20)} MiB`,
    ];
    return { result, turns: busy.length, cpuMs, bytes: peak - rss, figures: figures.join(', ') };
  }

  it('is read without blocking other requests and without several copies in memory', async (t) => {
    const { result, turns, cpuMs, bytes, figures } = await measure(readRoster(body(), limits));
    t.diagnostic(`read: ${figures}`);
    assert.equal(result.entryCount, 250_000);
    assert.ok(turns > 100, `${turns} turns`);
    assert.ok(cpuMs.p99 < 50, `${cpuMs.p99} ms`);
    assert.ok(bytes < 300 * 2 ** 20, `${bytes} bytes`);

    async function count() {
      let entryCount = 0;
      for await (const batch of readEntries(result.parts)) entryCount += batch.length;
      return entryCount;
    }
    const back = await measure(count());
    t.diagnostic(`read back: ${back.figures}`);
    assert.equal(back.result, 250_000);
    assert.ok(back.cpuMs.p99 < 50, `${back.cpuMs.p99} ms`);
  });

  it('is read in the same way with unknown fields and implausible dates', async (t) => {
    const odd = { department: 'Sales', costCenter: 17, city: 'Köln', terminationDate: '2001-01-01' };
    const { result, cpuMs, bytes, figures } = await measure(
      readRoster(
        body((item) => ({ ...item, ...odd })),
        limits,
      ),
    );
    t.diagnostic(`read with warnings: ${figures}`);
    assert.deepEqual(pluck(result.warnings, 'count'), [250_000, 250_000, 250_000, 250_000]);
    assert.ok(cpuMs.p99 < 50, `${cpuMs.p99} ms`);
    assert.ok(bytes < 300 * 2 ** 20, `${bytes} bytes`);
  });

  it('is rejected with every problem counted', async (t) => {
    const work = readRoster(
      body((item) => ({ ...item, startDate: 'x' })),
      limits,
    ).catch((error: ApiError) => error.extra);
    const { result, bytes, figures } = await measure(work);
    t.diagnostic(`refused: ${figures}`);
    assert.equal('errorCount' in result && result.errorCount, 250_000);
    assert.ok(bytes < 300 * 2 ** 20, `${bytes} bytes`);
  });
});
