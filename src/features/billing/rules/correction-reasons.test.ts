import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { correctionReasons, erasedReason, findCorrectionMessage, readCorrectionReason } from './correction-reasons.ts';

describe('the reason of a correction', () => {
  it('that is a code becomes a sentence, which is recognized again', () => {
    for (const code of correctionReasons) {
      const sentence = readCorrectionReason(code);
      assert.notEqual(sentence, code);
      assert.equal(findCorrectionMessage(sentence)?.key, `correction-${code}`);
    }
    assert.equal(findCorrectionMessage(erasedReason)?.key, 'correction-erased');
  });

  it('that an operator wrote stays as it is', () => {
    assert.equal(readCorrectionReason('Left in October'), 'Left in October');
    assert.deepEqual([findCorrectionMessage('Left in October'), findCorrectionMessage(null)], [null, null]);
  });
});
