import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Message } from '../../../src/domain/messages/message.ts';
import { type ApiProblem, isOffline } from '../api/call.ts';
import { useReader } from '../reader.tsx';
import { Link, usePath } from '../router.tsx';
import { noteError } from '../state.ts';
import { type IconName, icon } from './icons.tsx';

/** The address and step whose heading had the focus last, or of the first screen of the visit. */
let lastPlace: string | undefined;

/** Moves the focus to the heading of a screen that replaces another one, so that a screen reader announces it. */
function useHeadingFocus(title: string, step: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const place = `${usePath()} ${step}`;
  const { t } = useReader();
  const name = t('appName');
  useEffect(() => {
    document.title = `${title} – ${name}`;
  }, [title, name]);
  useEffect(() => {
    const isOther = lastPlace !== undefined && lastPlace !== place;
    lastPlace = place;
    if (!isOther) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [place]);
  return heading;
}

interface ScreenProps {
  title: string;
  hint?: ReactNode;
  /** Names what follows at the same address, such as a confirmation. It gets the focus like another address. */
  step?: string;
  /** Where the arrow leads; absent: there is none. */
  back?: string;
  /** Beside the title, for sighted readers of lists. */
  beside?: ReactNode;
  /** Whether the heading gives way to what follows. */
  isCompact?: boolean;
  children?: ReactNode;
}

/** One screen: its heading and what it shows. */
export function Screen({ title, hint, back, beside, isCompact, step = '', children }: ScreenProps) {
  const { t } = useReader();
  const heading = useHeadingFocus(title, step);
  return (
    <div className={isCompact ? 'screen compact' : 'screen'}>
      {back !== undefined && (
        <Link to={back} className="back">
          {icon('back', 20)}
          {t('back')}
        </Link>
      )}
      <div className="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </div>
      {hint !== undefined && <p className="lead">{hint}</p>}
      {children}
    </div>
  );
}

interface CardProps {
  title?: string;
  children: ReactNode;
  className?: string;
}

export function Card({ title, children, className = '' }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && <h2 id={id}>{title}</h2>}
      {children}
    </section>
  );
}

interface ButtonProps {
  label: string;
  onClick?: () => void;
  look?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Whether its work is under way. */
  isBusy?: boolean;
  isDisabled?: boolean;
  type?: 'button' | 'submit';
  left?: IconName;
  /** What a screen reader says, if the label alone is ambiguous. */
  name?: string;
}

export function Button({
  label,
  onClick,
  look = 'primary',
  isBusy,
  isDisabled,
  type = 'button',
  left,
  name,
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`button ${look}`}
      // A disabled button would lose the focus.
      aria-disabled={isBusy || isDisabled || undefined}
      aria-busy={isBusy || undefined}
      aria-label={name}
      onClick={(event) => {
        if (isBusy || isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {left && icon(left, 20)}
      <span>{label}</span>
    </button>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  error?: string | undefined;
  type?: 'text' | 'email';
  autoComplete?: string;
  isLong?: boolean;
  maxLength?: number;
}

export function Field({
  label,
  value,
  onChange,
  hint,
  error,
  type = 'text',
  autoComplete = 'off',
  isLong,
  maxLength = 320,
}: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const common = {
    id,
    value,
    maxLength,
    'aria-describedby': described,
    'aria-invalid': error !== undefined || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isLong ? (
        <textarea {...common} rows={3} />
      ) : (
        <input
          {...common}
          type={type}
          inputMode={type === 'email' ? 'email' : undefined}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {icon('alert', 18)}
          {error}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Returns what a failed request means for the reader. */
function useProblemText(): (error: unknown) => string {
  const { t, renderMessage } = useReader();
  return (error) => {
    if (isOffline(error)) return t('problemOffline');
    const problem = error as ApiProblem;
    if (problem.status === 429) {
      const minutes = Math.ceil((problem.retryAfter ?? 0) / 60);
      return minutes > 0 ? t('problemWait', { count: minutes }) : t('problemRateLimited');
    }
    if (problem.status >= 500) return t('problemDown');
    const explained = renderMessage(problem.explanation);
    if (explained !== undefined) return explained;
    return problem.status === 409 ? t('problemChanged') : t('problemUnknown');
  };
}

/** Shows why something failed. Screen readers say it at once. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useReader();
  const textOf = useProblemText();
  if (error === undefined) return null;
  return (
    <div className="notice bad" role="alert">
      {icon('alert')}
      <div>
        <strong>{t('problemTitle')}</strong>
        <p>{textOf(error)}</p>
        {onRetry && <Button look="quiet" label={t('retry')} onClick={onRetry} />}
      </div>
    </div>
  );
}

interface NoticeProps {
  title?: string;
  children: ReactNode;
  look?: 'info' | 'good' | 'bad';
  left?: IconName;
  isStatus?: boolean;
}

export const Notice = ({ title, children, look = 'info', left = 'clock', isStatus }: NoticeProps) => (
  <div className={`notice ${look}`} role={isStatus ? 'status' : undefined}>
    {icon(left)}
    <div>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  </div>
);

/** Shows a sentence of the service. */
export function Sentence({ message }: { message: Message | null | undefined }) {
  const { renderMessage } = useReader();
  return <>{renderMessage(message)}</>;
}

export type Fact = readonly [label: string, value: ReactNode] | false | null | undefined;

/** Names and values, one under the other. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts
      .filter((fact) => fact !== false && fact != null)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Placeholders of the height of what is loading. */
export function Loading({ rows = 3 }: { rows?: number }) {
  const { t } = useReader();
  return (
    <div className="loading" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('loading')}
      </p>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <div key={index} className="bone" aria-hidden="true" />
      ))}
    </div>
  );
}

/** A window above the page. The browser keeps the focus inside and returns it afterwards. */
export function Dialog({
  title,
  onClose,
  children,
  className = '',
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Before it is removed, so that the browser returns the focus.
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={`dialog ${className}`} aria-labelledby={id} onClose={onClose}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  confirmLabel: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  isDangerous?: boolean;
}

/** Asks once before something that has consequences. */
export function Confirm({ title, text, confirmLabel, onConfirm, onClose, isDangerous }: ConfirmProps) {
  const { t } = useReader();
  const { run, isBusy, error } = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Problem error={error} />
      <div className="buttons">
        <Button
          look={isDangerous ? 'danger' : 'primary'}
          label={confirmLabel}
          isBusy={isBusy}
          onClick={() => void run()}
        />
        <Button look="plain" label={t('cancelStep')} onClick={onClose} />
      </div>
    </Dialog>
  );
}

/** Runs work that may fail. Keeps the error to show it. */
export function useAction<T extends unknown[]>(work: (...given: T) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    isBusy,
    error,
    clear: () => setError(undefined),
    async run(...given: T): Promise<boolean> {
      setBusy(true);
      setError(undefined);
      try {
        await work(...given);
        return true;
      } catch (caught) {
        noteError(caught);
        setError(caught);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Loads what a screen shows. `reload` fetches it again. */
export function useLoaded<T>(load: () => Promise<T>, key: string) {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown }>({ key });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is loaded, the turn when.
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (data) => isCurrent && setState({ key, data }),
      (error) => {
        if (!isCurrent || noteError(error)) return;
        setState((before) => ({ ...(before.key === key ? before : { key }), error }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, turn]);
  const current = state.key === key ? state : { key };
  return { data: current.data, error: current.error, reload: () => setTurn((count) => count + 1) };
}
