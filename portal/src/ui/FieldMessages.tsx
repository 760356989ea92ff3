import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useCommonTexts } from '../app/i18n/common.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fieldSelector = 'input, select, textarea';
const isField = (target: EventTarget | null): target is Field =>
  target instanceof Element && target.matches(fieldSelector);

/** Returns the first field of the same form that is not valid. */
const firstInvalid = (field: Field) =>
  [...(field.form?.elements ?? [])].find((one) => isField(one) && !one.validity.valid) ?? field;

const messageId = (field: Field) => `${field.id || field.name}-message`;

function mark(field: Field, isInvalid: boolean): void {
  if (isInvalid) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-errormessage', messageId(field));
  } else {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}

/**
 * Replaces the validation bubbles of the browser, which speak its own language, by messages below the fields of every
 * form. Which values are valid stays with the fields (`required`, `type`, `minLength`, `pattern`).
 */
export function FieldMessages() {
  const t = useCommonTexts();
  const [fields, setFields] = useState<readonly Field[]>([]);
  useEffect(() => {
    const onInvalid = (event: Event) => {
      if (!isField(event.target)) return;
      const field = event.target;
      // No bubble.
      event.preventDefault();
      mark(field, true);
      if (firstInvalid(field) === field) field.focus();
      setFields((known) => [...known.filter((one) => one.isConnected && one !== field), field]);
    };
    const onInput = (event: Event) => {
      const field = event.target;
      if (!isField(field)) return;
      setFields((known) => {
        if (!known.includes(field)) return known;
        mark(field, false);
        return known.filter((one) => one !== field);
      });
    };
    document.addEventListener('invalid', onInvalid, true);
    document.addEventListener('input', onInput, true);
    return () => {
      document.removeEventListener('invalid', onInvalid, true);
      document.removeEventListener('input', onInput, true);
    };
  }, []);

  const describe = (field: Field) => {
    const { validity, type } = field;
    if (validity.valueMissing) return t(type === 'checkbox' || type === 'radio' ? 'fieldChoose' : 'fieldMissing');
    if (validity.typeMismatch && type === 'email') return t('fieldEmail');
    if (validity.typeMismatch && type === 'url') return t('fieldUrl');
    if (validity.tooShort && 'minLength' in field) return t('fieldTooShort', { limit: field.minLength });
    if (validity.patternMismatch && field.value.trim() === '') return t('fieldMissing');
    return t('fieldInvalid');
  };
  return fields
    .filter((field) => field.isConnected)
    .map((field) =>
      createPortal(
        <p className="field-message" id={messageId(field)} role="alert">
          {describe(field)}
        </p>,
        field.closest('.mantine-InputWrapper-root') ?? field.parentElement ?? document.body,
        messageId(field),
      ),
    );
}
