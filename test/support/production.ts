import { randomBytes } from 'node:crypto';

/** What production insists on, but for the database. */
export const productionEnv = {
  ENVIRONMENT: 'production',
  SECRET: randomBytes(16).toString('hex'),
  PUBLIC_URL: 'https://transit.example',
};
