import type { Template } from '../pull/contract.ts';
import { factorial } from './factorial.ts';
import { generic } from './generic.ts';
import { hrworks } from './hrworks.ts';
import { successfactors } from './successfactors.ts';
import { workday } from './workday.ts';

/** Requests and mappings of APIs that many companies have. A company adapts them in its set-up. */
export const templates: readonly Template[] = [generic, hrworks, factorial, successfactors, workday];
