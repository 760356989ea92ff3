/** The colours of the states of orders. */
export const colours = {
  required: 'gray',
  ordered: 'blue',
  issued: 'teal',
  failed: 'red',
  blocked: 'gray',
  replaced: 'gray',
} as const;
