declare module 'fastify/lib/symbols.js' {
  const symbols: { readonly kReplyHeaders: unique symbol };
  export default symbols;
}
