import { type Static, Type } from 'typebox';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum } from '../../platform/http/schemas.ts';
import { noticeNames } from './rules/notices.ts';

export const NoticeSwitch = Closed({ notice: Enum(noticeNames), isOn: Type.Boolean() });

export type NoticeSwitch = Static<typeof NoticeSwitch>;

export const NoticeSettingsSchema = Closed({
  isMailConfigured: Type.Boolean({ description: 'Whether the service can send mail at all.' }),
  notices: Type.Array(NoticeSwitch, { description: "Those that the user's roles allow to receive." }),
});

export type NoticeSettings = Static<typeof NoticeSettingsSchema>;
