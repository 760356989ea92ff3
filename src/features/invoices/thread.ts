import { renderInvoice } from './files.ts';

export default renderInvoice;
