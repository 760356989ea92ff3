/** What became of orders for tickets, and what to do. `{field:field}`-like names are those of `en.ts`. */
const orders = {
  'order-not-required': 'The employee needs no ticket for this month any more.',
  'order-month-over': 'The month is over, and no ticket was ordered. Nothing is to be done: it is not charged.',
  'order-issuer-changed': 'The company has another issuer now.',
  'order-issuer-failed': 'The issuer refused the order ({code}): {detail}',
  'order-answer-invalid': 'The issuer answered with something that is no order: {problem}. Tell the issuer.',
  'order-conflict': 'The issuer has another order under this number. Order the ticket again.',
  'order-unknown': 'The issuer does not know the order any more. Order the ticket again.',
  'order-mismatch': 'The ticket that came back is another one than ordered: {differences:list}. Order it again.',
  'order-blocked-by-issuer': 'The issuer has blocked the ticket. Ask why, then order it again if it is needed.',
  'order-blocked': 'Blocked: {detail:text}.',
  'order-replaced': 'Replaced: {detail:text}.',
  'block-lost': 'lost',
  'block-unreadable': 'the code could not be read',
  'block-new-phone': 'a new phone',
  'block-left': 'the employee has left',
  'block-agreement-rejected': 'the agreement was rejected',
  'block-returned': 'the ticket was returned',
  'block-wrong': 'the ticket was wrong',
  'differs-name': 'name ordered {ordered}, received {received}',
  'differs-birth': 'date of birth ordered {ordered}, received {received}',
  'differs-from': 'valid from {received} instead of {ordered}',
  'differs-until': 'valid until {received} instead of {ordered}',
  'differs-barcode-name': 'name ordered {ordered}, in the barcode {received}',
  'differs-barcode-birth': 'date of birth ordered {ordered}, in the barcode {received}',
  'differs-barcode-validity': 'valid {ordered}, in the barcode {received}',
  'differs-barcode-number': 'ticket number {ordered}, in the barcode {received}',
  'differs-barcode-unreadable': 'the barcode cannot be read ({received})',
  'differs-barcode-used': 'the barcode belongs to another order',
  'differs-number-used': 'the ticket number {received} belongs to another employee',
} as const;

/** What many orders that failed or wait have in common. */
const summaries = {
  'summary-required': 'Not ordered yet. They are ordered as soon as the issuer can be worked with.',
  'summary-ordered': 'Ordered, but their tickets have not come yet. Ask the issuer if this lasts.',
  'summary-mismatch':
    'Another ticket came back than ordered: name, date of birth, validity or number. Ask the issuer, then order again.',
  'summary-answer-invalid': 'The issuer answered with something that is no order. Tell the issuer.',
  'summary-returned': 'The list of the issuer says that there is no ticket. Read why below, then order again.',
  'summary-refused':
    'The issuer refused the order ({code}). Correct the data in the roster, or ask the issuer; then order again.',
  'summary-tried-again': 'The issuer cannot carry out the order yet ({code}). It is tried again.',
} as const;

/** Why an issuer cannot be worked with at present. */
const outages = {
  'issuer-unreachable': 'The issuer could not be reached ({error}). It will be tried again.',
  'issuer-error-status': 'The issuer answered with the error {status}. It will be tried again.',
  'issuer-limited': 'The issuer limits how often it is asked. It will be tried again when it allows.',
  'issuer-refused': 'The issuer refused the token ({status}). Enter a new one with "issuer set".',
  'issuer-not-json': 'The issuer answered with something that is no JSON. If this lasts, contact the issuer.',
  'issuer-too-large': 'The issuer answered with more data at once than is read. Contact the issuer.',
} as const;

/** How a month differs from what the issuer has, and what to do about it. */
const differences = {
  'difference-not-ordered': 'No ticket is ordered yet. It will be ordered; check again tomorrow.',
  'difference-not-confirmed': 'Ordered, but the issuer has not confirmed it. Ask the issuer if this lasts.',
  'difference-failed': 'The order failed: {detail:list} Correct it, and order again.',
  'difference-ended': 'The ticket was blocked, but the employee must have one. Replace it.',
  'difference-double': 'The issuer has {count} tickets of this employee. Block all but one.',
  'difference-still-ordered':
    'The employee needs no ticket, but the issuer has one. It is being blocked; ask if this lasts.',
  'difference-unknown-order': 'The issuer has an order {orderId} that we do not know. Ask the issuer to cancel it.',
  'difference-name': 'The ticket is issued to {received}; the employee is now called {ordered}. Replace it.',
  'difference-state': 'The issuer reports the order as {received}, we as {ordered}. It will be fetched again.',
} as const;

/** Why a returned order list, or a row of it, is not applied. */
const returned = {
  'returned-no-lists': 'The issuer of this company returns no lists. Choose it with "issuer set --issuer order-list".',
  'returned-too-large': 'The file has more than {limit:count} bytes. Ask the issuer for several files.',
  'returned-many-rows': 'The file has more than {limit:count} rows. Ask the issuer for several files.',
  'returned-long-cell': 'Row {row}: the cell of {field} is too long. Correct it, and upload the file again.',
  'returned-row': 'Row {row} {detail:list}. Correct it, and upload the file again.',
  'returned-without-tickets':
    'No column has ticket numbers, chip-card numbers, activation codes or barcodes. Name one so, or name it in the mapping.',
  'returned-without-people': 'No column has order numbers, HR ids or names. Name one so, or name it in the mapping.',
  'returned-unknown-order': 'There is no order {orderId} in this month. Choose whose ticket it is, or dismiss the row.',
  'returned-unknown-hr-id': 'Nobody with the HR id {hrId} has an order. Choose whose ticket it is, or dismiss the row.',
  'returned-several': 'Several employees fit. Choose whose ticket it is.',
  'returned-nobody':
    'The row has no order number, and nobody with this name and date of birth has an order. Choose whose ticket it is.',
  'returned-confirm': 'The name and the date of birth are those of {name}. Confirm that it is their ticket.',
  'returned-other-name': 'The order is for {ordered}, the row for {received}. Ask the issuer whose ticket it is.',
  'returned-other-birth':
    'The order has the date of birth {ordered}, the row {received}. Ask the issuer whose ticket it is.',
  'returned-ended': 'The order was blocked or replaced. Ask the issuer to cancel the ticket, then dismiss the row.',
  'returned-cell': 'The cell of {field} cannot be read. Ask the issuer for a corrected file.',
  'returned-other-ticket':
    'The employee has another ticket already. Block or replace it first if this one is right, else dismiss the row.',
  'returned-empty': 'The row has no ticket. Ask the issuer for it.',
  'returned-twice': 'Several rows have different tickets for the same order. Choose the right one.',
  'returned-no-order': 'Employee {id} has no order that waits for a ticket of this month. Choose another one.',
} as const;

/** Why order lists are not sent, and what is wrong with the settings for it. */
const deliveries = {
  'delivery-mail-failed':
    'The mail server did not take the order list for {address} ({code}). It will be tried again. If this lasts, tell the operator.',
  'delivery-mail-refused':
    '{address} is refused by the mail server ({code}). Correct the address in the settings of the order lists.',
  'delivery-mail-not-allowed':
    'Not sent to {address}: this test environment writes only to addresses that its operator allows.',
  'delivery-mail-large':
    'The order list has {bytes:count} bytes, which is too much for a mail. Exchange lists by SFTP, or download it and hand it over.',
  'delivery-no-mail-server': 'The service has no mail server. Its operator must configure one.',
  'delivery-not-lists': 'The issuer of this company takes no order lists, so there is nothing to send.',
  'delivery-not-set': 'Nothing says how order lists are sent. Set it up first.',
  'delivery-missing': 'Fill in this field.',
  'delivery-secret-again': 'Enter the password or the key again: it is stored for another server or user.',
  'delivery-returned-month':
    'The path must contain %Y and %m, which stand for year and month, such as /out/tickets-%Y-%m*.csv.',
} as const;

/** How the invoice of an issuer differs from our tickets and what to do, and why a file cannot be read as one. */
const invoices = {
  'invoice-unknown':
    'Billed, but no ticket or order of this company has this number. Ask the issuer to remove the line.',
  'invoice-double':
    'Billed although the ticket of this employee is on the invoice already. Ask the issuer to remove the line.',
  'invoice-not-in-force':
    'Billed, but the ticket was never valid: it was blocked before or is wrong. Ask the issuer to remove the line.',
  'invoice-price': 'Billed at another price than agreed. Compare the price list, then ask the issuer.',
  'invoice-other-month': 'Billed, but the ticket is one of another month. Check whether it was billed there as well.',
  'invoice-other-charge': 'A charge for no ticket. Check it with the contract.',
  'invoice-credit': 'A credit. Check which line of this or an earlier invoice it corrects.',
  'invoice-not-billed': 'Valid in this month, but not on the invoice. Expect it on the next one.',
  'invoice-no-columns':
    'The file has no column with order or ticket numbers, or none with amounts. Name them "order" or "ticketNumber", and "amount".',
  'invoice-wrong-amount': 'Row {row}: "{value}" is no amount in euros such as 59.85, or not unambiguous. Correct it.',
  'invoice-wrong-month': 'Row {row}: "{value}" is no month such as 2026-12. Correct it.',
  'invoice-too-long': 'The file has more than {most} lines. Divide it by months.',
  'invoice-too-large': 'The file is larger than {most} MiB. Save it as CSV, with only the columns that are needed.',
} as const;

export const issuers = {
  ...orders,
  ...summaries,
  ...outages,
  ...differences,
  ...returned,
  ...deliveries,
  ...invoices,
} as const;
