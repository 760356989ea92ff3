import { mustBe, type Optional } from '../../platform/cli/options.ts';
import { defaultNightlyTime, isNightlyTime } from './rules/schedule.ts';

export const nightlyTime = (): Optional<string> => ({
  placeholder: 'HH:MM',
  description: `When to pull every night, by the clock of the company (default: ${defaultNightlyTime})`,
  parse(value, label) {
    if (!isNightlyTime(value)) throw mustBe(label, 'a time such as 02:00', value);
    return value;
  },
});
