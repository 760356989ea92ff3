import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded into a process: writes the URL of every module that the process loads to the file RECORDED_MODULES. */
const file = process.env.RECORDED_MODULES;
registerHooks({
  load(url, context, nextLoad) {
    if (file !== undefined) appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
