import { startTestApp, type TestApp, type TestAppOptions } from '../../test/support/app.ts';
import { globalSetup, globalTeardown } from '../../test/support/server.ts';

/** Runs work with the application in this process, on the database server of the test run or on one of its own. */
export async function withTestApp<T>(options: TestAppOptions, work: (app: TestApp) => Promise<T>): Promise<T> {
  const isOwnServer = process.env.TEST_SERVER_URL === undefined;
  if (isOwnServer) await globalSetup();
  try {
    await using app = await startTestApp(options);
    return await work(app);
  } finally {
    if (isOwnServer) {
      await globalTeardown();
      delete process.env.TEST_SERVER_URL;
    }
  }
}
