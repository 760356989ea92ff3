const name = 'my-page-asked';
const lifeMillis = 30 * 60_000;

/** Notes that this browser has asked for a link. */
export const noteAsked = () => localStorage.setItem(name, String(Date.now()));

/**
 * Returns whether this browser has just asked for a link, so that opening one signs in without another tap. Any other link
 * waits for one: programs that check mails open links, too, and would use it up.
 */
export const hasAsked = () => Date.now() - Number(localStorage.getItem(name) ?? 0) < lifeMillis;
