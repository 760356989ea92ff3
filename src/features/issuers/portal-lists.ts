import { createHash } from 'node:crypto';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createMessage } from '../../domain/messages/message.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { assertPlainBody, streamOf } from '../../platform/http/plain-body.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { sendFile } from '../../platform/http/send-file.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { workbookType } from '../../platform/table/read-workbook.ts';
import { unpackWorkbook } from '../../platform/table/unpack-workbook.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { portalRoutes, type UserCall } from '../portal-route.ts';
import {
  CheckedDeliverySchema,
  DeliveryBody,
  OrderFileParams,
  OrderFileQuery,
  ResolvedRowSchema,
  ReturnedFileSchema,
  ReturnedListQuery,
  ReturnedPreviewSchema,
  ReturnedRowBody,
  ReturnedRowParams,
  SendListParams,
} from './contract.ts';
import { checkDelivery, sendOrderFile, setDelivery } from './delivery.ts';
import { renderOrderFile } from './order-files.ts';
import { importReturnedList, maxReturnedBytes, previewReturnedList, resolveRow } from './returned-files.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', xlsx: workbookType } as const;
const monthOf = (text: string) => Temporal.PlainDate.from(`${text}-01`);

/** Receives a list as a whole: it is small, and what it is depends on its first bytes. */
async function receive(request: FastifyRequest): Promise<Buffer> {
  assertPlainBody(request);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of streamOf(request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxReturnedBytes) {
      throw new ApiError('body-too-large', createMessage('returned-too-large', { limit: maxReturnedBytes }));
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type Upload = Pick<UserCall, 'companyId' | 'user'> & { request: FastifyRequest; reply: FastifyReply };

const defineRoutes = portalRoutes((route, { db, slots }) => {
  const upload = {
    access: 'decisions',
    query: ReturnedListQuery,
    problems: ['body-too-large', 'request-timeout', 'unsupported-media-type', 'invalid-order-list'],
    options: { bodyLimit: maxReturnedBytes },
  } as const;

  /** Receives a list when it is the user's turn. An Excel file is unpacked when it is the company's. */
  async function admit({ request, reply, companyId, user }: Upload) {
    await holdSlot(slots.transfers, { companyId, name: user.id }, reply);
    const bytes = await receive(request);
    extendTimeout(reply);
    const unpack = (content: Uint8Array) => slots.workbooks.run({ companyId }, () => unpackWorkbook(content));
    return { bytes, unpack };
  }

  route('GET /issuer/order-files/:month/:format', {
    summary: 'Download an order list',
    description: 'One file of a month, or without a number everything that is ordered for the month.',
    access: 'decisions',
    params: OrderFileParams,
    query: OrderFileQuery,
    returns: FileOf('text/csv', workbookType),
    isConditional: true,
    problems: ['not-found'],
    options: { exposeHeadRoute: false },
    handle: ({ request, reply, companyId, user, params: { month, format }, query: { number }, by, write }) =>
      slots.longRunning.run({ companyId, name: user.id }, async () => {
        const file = await renderOrderFile(db, companyId, { month: monthOf(month), number, format });
        if (file === undefined) throw notFound('order list');
        const detail = { month, number: number ?? null, format };
        return sendFile(request, reply, {
          sha256: createHash('sha256').update(file.content).digest('hex'),
          sizeBytes: file.content.length,
          contentType: contentTypes[format],
          disposition: contentDisposition(file.name),
          open: async () => file.content,
          onDownload: () =>
            write((tx) => insertAudit(tx, companyId, { action: 'issuer.download', target: month, detail, ...by })),
        });
      }),
  });

  route('POST /issuer/returned-lists/preview', {
    summary: 'Preview a returned order list',
    description: 'Returns what the list would change. Changes nothing.',
    ...upload,
    data: ReturnedPreviewSchema,
    async handle(call) {
      const { companyId, query } = call;
      return previewReturnedList(db, companyId, { month: monthOf(query.month), ...(await admit(call)) });
    },
  });

  route('POST /issuer/returned-lists', {
    summary: 'Apply a returned order list',
    description:
      'Tickets that belong to an order for certain are applied, each once. The other rows wait for a person.',
    ...upload,
    data: ReturnedFileSchema,
    async handle(call) {
      const { companyId, query, by } = call;
      const list = { month: monthOf(query.month), ...(await admit(call)), origin: 'upload' as const };
      return importReturnedList(db, companyId, { ...list, name: query.fileName ?? 'list' }, by);
    },
  });
});

const defineRowRoutes = portalRoutes((route, { slots }) => {
  const inSlot = <T>({ companyId, id: name }: UserCall['user'], work: () => Promise<T>) =>
    slots.connectionTests.run({ companyId, name }, work);

  route('POST /issuer/delivery', {
    summary: 'Set how order lists are exchanged with the issuer',
    description: 'Tests the settings, and stores them if they work.',
    access: 'integrations',
    body: DeliveryBody,
    data: CheckedDeliverySchema,
    problems: ['issuer-not-possible'],
    handle: ({ body, ...call }) => inSlot(call.user, () => setDelivery(call, body)),
  });

  route('POST /issuer/delivery/check', {
    summary: 'Test how order lists are exchanged with the issuer',
    access: 'integrations',
    data: CheckedDeliverySchema,
    problems: ['issuer-not-possible'],
    handle: (call) => inSlot(call.user, () => checkDelivery(call)),
  });

  route('POST /issuer/order-files/:month/:number/deliveries', {
    summary: 'Send an order list to the issuer',
    description: 'Only one that has not been sent. It is sent within minutes.',
    access: 'decisions',
    params: SendListParams,
    problems: ['not-found', 'issuer-not-possible'],
    handle: ({ params, ...call }) => sendOrderFile(call, params),
  });

  route('POST /issuer/returned-rows/:id', {
    summary: 'Decide whose ticket a row of a returned list is',
    access: 'decisions',
    params: ReturnedRowParams,
    body: ReturnedRowBody,
    data: ResolvedRowSchema,
    problems: ['not-found', 'invalid-order-list'],
    handle: ({ companyId, params: { id: rowId }, body, by, write }) =>
      write((tx) => resolveRow(tx, companyId, { rowId, employeeId: body.employeeId ?? undefined }, by)),
  });
});

export const orderListRoutes: Routes = (app, context) => {
  defineRowRoutes(app, context);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['text/csv', workbookType], (_request, payload, done) => done(null, payload));
    defineRoutes(scope, context);
  });
};
