import type { IssuerKind } from '../../../domain/enums.ts';
import { http } from './http.ts';
import type { IssuerConnection, IssuerProvider, OpenOptions } from './issuer.ts';
import { orderList } from './order-list.ts';

const providers: readonly IssuerProvider[] = [http, orderList];

/** Returns undefined if the service issues the tickets itself. */
export const findIssuerProvider = (kind: IssuerKind): IssuerProvider | undefined =>
  providers.find((provider) => provider.kind === kind);

/** Opens a connection to the issuer of a company, which the caller closes. Undefined: the service is the issuer. */
export const openIssuer = (kind: IssuerKind, options: OpenOptions): IssuerConnection | undefined =>
  findIssuerProvider(kind)?.open(options);
