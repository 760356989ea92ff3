import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { maxResponseBytes, responseLimits } from '../../src/features/connectors/providers/http-client.ts';
import { maxCorrectionsBytes, mostCorrected } from '../../src/features/corrections/contract.ts';
import { maxRequestsBytes, mostRequests } from '../../src/features/subscriptions/contract.ts';
import { maxRequestBytes } from '../../src/mcp/routes.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { SlotLimits } from '../../src/platform/http/fair-slots.ts';
import { jsonLimits } from '../../src/platform/http/json-limits.ts';
import { callsPerKey, deliveryLimits, passLimits, slotLimits } from '../../src/platform/http/slot-limits.ts';
import { maxDownloadMillis } from '../../src/platform/http/spool.ts';
import { workbookLimits } from '../../src/platform/table/read-workbook.ts';
import { maxBodyBytes } from '../../src/processes/app.ts';

const text = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');

/** Returns the rows of the table below a heading, without those of its head. */
function readTable(heading: string): string[][] {
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const config = readConfig({});
const count = (value: number) => (Number.isFinite(value) && value > 0 ? value.toLocaleString('en') : '–');
const bytes = (value: number) => (value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`);

describe('docs/limits.md', () => {
  it('lists the limits per minute with their settings', () => {
    const { rateLimits } = config;
    const { key, portal, scim, wallet, unsubscribe, hint, signing, access, invitation } = rateLimits;
    const values = [key, portal, scim, wallet, unsubscribe, hint, signing, access, invitation];
    const rows = readTable('Requests per minute');
    assert.deepEqual(
      rows.map(([, value]) => value),
      values.map(count),
    );
    for (const [, , setting = ''] of rows.filter(([, , name]) => name !== '–')) {
      const name = setting.replaceAll('`', '');
      assert.throws(() => readConfig({ [name]: 'no number' }), new RegExp(name));
    }
  });

  it('lists everything that companies share, with all, the share of one company, and the wait', () => {
    const heavy = config.heavyRequestsPerKey;
    const perCaller = [heavy, heavy, 0, heavy, callsPerKey];
    const all: Omit<SlotLimits, 'perCaller'>[] = [
      ...Object.values(slotLimits),
      passLimits,
      ...Object.values(deliveryLimits),
    ];
    assert.deepEqual(
      readTable('At the same time').map(([, ...values]) => values),
      all.map(({ total, perCompany, waitMillis }, index) => [
        ...[total, perCompany, perCaller[index] ?? 0, waitMillis / 1_000].map(count),
      ]),
    );
    assert(text.includes(`The ${heavy} of one key or user is`));
    assert(text.includes(`longer than ${maxDownloadMillis / 60_000} minutes to read`));
    assert(text.includes(`more than ${config.overloadQueue} statements`));
  });

  it('lists the sizes', () => {
    assert.deepEqual(
      readTable('Sizes').map(([, value]) => value),
      [
        bytes(maxBodyBytes),
        bytes(config.maxSyncBytes),
        count(config.maxSyncEntries),
        bytes(maxRequestsBytes),
        count(mostRequests),
        bytes(maxCorrectionsBytes),
        count(mostCorrected),
        bytes(workbookLimits.maxBytes),
        bytes(workbookLimits.maxUnpackedBytes),
        bytes(maxRequestBytes),
        ...[jsonLimits.maxDepth, jsonLimits.maxMembers, jsonLimits.maxValues].map(count),
        bytes(maxResponseBytes),
        count(responseLimits.maxValues),
      ],
    );
  });
});
