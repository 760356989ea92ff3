/**
 * The policy of the page allows only styles that carry the nonce of this very answer. The library asks for it, and what it
 * uses to lock scrolling behind a modal looks for this global.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

Object.assign(globalThis, { __webpack_nonce__: styleNonce });
