export const en = {
  same: 'same as the month before',
  more: '{amount} more than the month before',
  less: '{amount} less than the month before',
} as const;
