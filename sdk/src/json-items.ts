import { ConnectionError } from './errors.ts';
import type { TimeLimit } from './time-limit.ts';

const quote = 34;
const backslash = 92;
const open = 123;
const close = 125;

/**
 * Yields the objects of `{"data":[…]}` while they arrive, and holds no more than one piece of the response and one
 * object. Throws if the response ends before the list does, or if one piece takes longer than the limit.
 */
export async function* readItems<T>(
  body: ReadableStream<Uint8Array>,
  limit: TimeLimit,
): AsyncGenerator<T, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let position = 0;
  /** 1 inside of the outer object, 2 or more inside of an item. */
  let depth = 0;
  let isBegun = false;
  let begun = 0;
  let isText = false;
  try {
    for (;;) {
      limit.start();
      const { done, value } = await reader.read();
      limit.stop();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      for (; position < text.length; position++) {
        const character = text.charCodeAt(position);
        if (isText) {
          if (character === backslash) position += 1;
          else if (character === quote) isText = false;
        } else if (character === quote) isText = true;
        else if (character === open) {
          depth += 1;
          isBegun = true;
          if (depth === 2) begun = position;
        } else if (character === close) {
          depth -= 1;
          if (depth === 1) yield JSON.parse(text.slice(begun, position + 1)) as T;
        }
      }
      // Keeps only what belongs to an unfinished item. A backslash at the end leaves the position one behind the end.
      const kept = depth >= 2 ? begun : text.length;
      text = text.slice(kept);
      position -= kept;
      begun = 0;
    }
    if (depth !== 0 || !isBegun) throw new Error('The list is not complete.');
  } catch (error) {
    limit.throwIfAborted();
    const what = limit.isExpired ? `did not continue within ${limit.ms} ms` : 'broke off before its end';
    throw new ConnectionError(`The response ${what}. Start again.`, { cause: error });
  } finally {
    limit.stop();
    await reader.cancel().catch(() => {});
  }
}
