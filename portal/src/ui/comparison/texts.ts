export const texts = {
  same: { de: 'wie im Vormonat', en: 'same as the month before' },
  more: { de: '{amount} mehr als im Vormonat', en: '{amount} more than the month before' },
  less: { de: '{amount} weniger als im Vormonat', en: '{amount} less than the month before' },
} as const;
