/**
 * The page's content security policy allows only styles that carry the nonce of this response. The component library
 * reads this constant. The code that it uses to lock scrolling behind a modal reads the global.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

Object.assign(globalThis, { __webpack_nonce__: styleNonce });
