import { Type } from 'typebox';
import { Closed, Name, NewPassword, Password } from '../../platform/http/portal/schemas.ts';
import { Assertion } from './passkey-schema.ts';

/** A code of the app, or a recovery code. */
export const Code = Type.String({ minLength: 6, maxLength: 40 });

export const SignInBody = Closed({
  email: Name(254),
  password: Password,
  code: Type.Optional(Code),
  passkey: Type.Optional(Assertion),
});

export const ChangePasswordBody = Closed({ currentPassword: Password, newPassword: NewPassword });
