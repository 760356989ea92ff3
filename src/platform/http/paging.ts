import { Type } from 'typebox';
import { type Page, type PageRequest, sortOrders } from '../db/page.ts';
import { Enum, maxInteger, withoutNul } from './schemas.ts';

export const pagingParameters = {
  page: Type.Integer({
    minimum: 0,
    maximum: maxInteger,
    default: 1,
    description: 'Page to return. Pages start at 1; 0 means 1.',
  }),
  perPage: Type.Integer({
    minimum: 0,
    maximum: 100,
    default: 10,
    description: 'Records per page. 0 returns no records, but the correct `total`.',
  }),
  sortOrder: Enum(sortOrders, {
    default: 'asc',
    description: 'Direction of the sort; ties are ordered by id likewise.',
  }),
};

export const searchParameter = (where: string) =>
  Type.String({
    ...withoutNul,
    maxLength: 500,
    description: `Every word must occur in ${where}. Case and accents do not matter: \`muller\`, \`mueller\` and \`Müller\` find each other.`,
    examples: ['müller anna'],
  });

export function presentPage<Row, Item>(page: Page<Row>, request: PageRequest, present: (row: Row) => Item) {
  const { perPage } = request;
  return {
    data: {
      data: page.rows.map(present),
      page: Math.max(1, request.page),
      perPage,
      totalPages: perPage === 0 ? 0 : Math.ceil(page.total / perPage),
      total: page.total,
    },
  };
}
