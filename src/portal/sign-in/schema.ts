import { Closed, Name, NewPassword, Password } from '../schemas.ts';

export const SignInBody = Closed({ email: Name(254), password: Password });

export const ChangePasswordBody = Closed({ currentPassword: Password, newPassword: NewPassword });
