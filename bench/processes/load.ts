import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';

/** Sends requests from a separate process, so that they take no time from the measuring process. Prints the results. */
const {
  url,
  headers,
  connections,
  seconds,
  perSecond,
  requestsFile,
  status = 200,
} = JSON.parse(process.argv[2] ?? '{}');
const pace = perSecond === undefined ? {} : { overallRate: perSecond };

/** Gives each connection requests of its own, so that no two ask for the same at the same time. */
async function readRequests() {
  if (requestsFile === undefined) return {};
  const requests: autocannon.Request[] = JSON.parse(await readFile(requestsFile, 'utf8'));
  let connection = 0;
  return {
    setupClient: (client: autocannon.Client) => {
      const offset = connection++;
      client.setRequests(requests.filter((_request, index) => index % connections === offset));
    },
  };
}

const result = await autocannon({ url, headers, connections, duration: seconds, ...pace, ...(await readRequests()) });
const { requests, latency, throughput, errors } = result;
const counts = result.statusCodeStats as Record<string, { count: number }>;
const expected = counts[status]?.count ?? 0;
const answered = Object.values(counts).reduce((sum, { count }) => sum + count, 0);
const rates = { perSecond: requests.total / result.duration, medianMs: latency.p50, p99Ms: latency.p99 };
process.stdout.write(
  JSON.stringify({
    ...rates,
    sent: requests.total,
    bytesPerSecond: throughput.total / result.duration,
    failed: errors + answered - expected,
  }),
);
