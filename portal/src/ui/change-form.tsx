import { type FormErrors, useForm } from '@mantine/form';
import { type FormEvent, lazy, type ReactNode, Suspense } from 'react';
import { ApiProblem, type ProblemError } from '../app/api/request.ts';
import { useCommonTexts } from '../app/i18n/texts.ts';
import { markShown } from './shown-problems.ts';

/** Loaded when something goes wrong: they are a third of the script of the sign-in page. */
const ProblemAlert = lazy(async () => ({ default: (await import('./ProblemAlert.tsx')).ProblemAlert }));
const MessageText = lazy(async () => ({ default: (await import('./MessageText.tsx')).MessageText }));

/** Renders a problem, if there is one. */
export const Problem = ({
  error,
  inWords,
}: {
  error: Error | null;
  inWords?: Readonly<Record<string, string>> | undefined;
}) =>
  error && (
    <Suspense>
      <ProblemAlert error={error} inWords={inWords} />
    </Suspense>
  );

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (element: Element): element is Field => element.matches('input, select, textarea');

/** Returns a function that says what is wrong with the value of a field, by its attributes (`required`, `type` …). */
function useFieldProblem() {
  const t = useCommonTexts();
  return (field: Field): string => {
    const { validity, type } = field;
    if (validity.valueMissing) return t(type === 'checkbox' || type === 'radio' ? 'fieldChoose' : 'fieldMissing');
    if (validity.typeMismatch && type === 'email') return t('fieldEmail');
    if (validity.typeMismatch && type === 'url') return t('fieldUrl');
    if (validity.tooShort && 'minLength' in field) return t('fieldTooShort', { limit: field.minLength });
    return t(validity.patternMismatch && field.value.trim() === '' ? 'fieldMissing' : 'fieldInvalid');
  };
}

interface Options<Values, Input, Output> {
  initial: Values;
  change: { mutateAsync(input: Input): Promise<Output>; isPending: boolean; error: Error | null };
  /** Returns what to send. */
  input(values: Values): Input;
  /** Returns what is wrong with the values beyond what the attributes of the fields say. */
  validate?(values: Values): { [Name in keyof Values]?: ReactNode };
  onDone?(output: Output, values: Values): void;
  /** Texts for error codes of the service, at the field that they concern. */
  atFields?: Readonly<Record<string, { [Name in keyof Values]?: ReactNode }>>;
  /** Returns the text for one wrong value that the service found. By default, its own. */
  explain?(error: ProblemError): ReactNode;
}

const isEmpty = (errors: object) => Object.values(errors).every((error) => !error);

/**
 * Connects the fields of a form to a change. What is wrong stands below its field, also what the service found; every
 * other problem stands in the form.
 */
export function useChangeForm<Values extends Record<string, unknown>, Input, Output>(
  options: Options<Values, Input, Output>,
) {
  const { initial, change, input, validate, onDone, atFields, explain } = options;
  const describe = useFieldProblem();
  const form = useForm<Values>({ initialValues: initial });
  const problemsOf = (error: unknown): FormErrors => {
    if (!(error instanceof ApiProblem)) return {};
    const known = atFields?.[error.code];
    if (known !== undefined) return known as FormErrors;
    const found = error.errors.filter(({ pointer }) => (pointer ?? '').slice(1) in form.getValues());
    return Object.fromEntries(
      found.map((one) => [
        (one.pointer ?? '').slice(1),
        explain?.(one) ?? (
          <Suspense key={one.pointer}>
            <MessageText message={one.message} detail={one.detail} />
          </Suspense>
        ),
      ]),
    );
  };
  /** Returns the errors of the fields, of which the first one gets the focus. */
  const check = (element: HTMLFormElement): FormErrors => {
    const fields = [...element.elements].filter(isField);
    const invalid = fields.filter(({ validity, dataset }) => dataset.path !== undefined && !validity.valid);
    const errors: FormErrors = {
      ...validate?.(form.getValues()),
      ...Object.fromEntries(invalid.map((field) => [field.dataset.path, describe(field)])),
    };
    fields.find(({ dataset }) => dataset.path !== undefined && errors[dataset.path])?.focus();
    return errors;
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const errors = check(event.currentTarget);
    form.setErrors(errors);
    if (!isEmpty(errors)) return;
    const values = form.getValues();
    // Awaits the change instead of passing callbacks, which do not run if the form is gone by then.
    const result = await change.mutateAsync(input(values)).then(
      (output) => ({ output }),
      (error: unknown) => {
        markShown(error);
        form.setErrors(problemsOf(error));
      },
    );
    if (result) onDone?.(result.output, values);
  };
  return {
    ...form,
    /** Returns the attributes of a field. */
    field: (name: keyof Values & string, label: string) => ({ ...form.getInputProps(name), name, label }),
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
    isPending: change.isPending,
    /** What no field says. */
    problem: isEmpty(form.errors) ? change.error : null,
  };
}
