const defaultSeconds = 5;
const mostSeconds = 600;

/** Returns whether a text is allowed as `connect_timeout`, in seconds. Absent: the default applies. */
export const isConnectTimeout = (text: string | null): boolean =>
  text === null || (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= mostSeconds);

/** Returns how long to wait for a connection: the `connect_timeout` of the URL, which is in seconds. */
export const connectMillisOf = (url: string): number =>
  Number(new URL(url).searchParams.get('connect_timeout') ?? defaultSeconds) * 1_000;
