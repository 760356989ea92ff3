import autocannon from 'autocannon';

/** Sends requests from a separate process, so that they take no time from the measuring process. Prints the results. */
const { url, headers, connections, seconds, perSecond } = JSON.parse(process.argv[2] ?? '{}');
const pace = perSecond === undefined ? {} : { overallRate: perSecond };
const result = await autocannon({ url, headers, connections, duration: seconds, ...pace });
const { requests, latency, throughput, errors, non2xx } = result;
const rates = { perSecond: requests.total / result.duration, medianMs: latency.p50, p99Ms: latency.p99 };
process.stdout.write(
  JSON.stringify({ ...rates, bytesPerSecond: throughput.total / result.duration, failed: errors + non2xx }),
);
