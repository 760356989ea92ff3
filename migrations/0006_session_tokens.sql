-- Sessions are kept under the SHA-256 of their token (src/portal/sign-in/hashed-tokens.ts); nobody has to sign in again.
update portal_sessions set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');
