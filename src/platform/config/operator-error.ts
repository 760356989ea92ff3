/** A failure that the operator can fix. The message is one readable line and is printed without a stack. */
export class OperatorError extends Error {}
