import { randomBytes } from 'node:crypto';

/** The settings that production requires, except the database. */
export const productionEnv = {
  ENVIRONMENT: 'production',
  SECRET: randomBytes(16).toString('hex'),
  PUBLIC_URL: 'https://transit.example',
};
