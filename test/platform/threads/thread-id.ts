import { threadId } from 'node:worker_threads';

/** Returns which thread does the task. */
export default () => threadId;
