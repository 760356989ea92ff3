import { type ReactNode, Suspense } from 'react';
import type { Message } from '../../../src/domain/messages/message.ts';
import type { ApiProblem } from '../app/api/request.ts';
import { useMessages } from '../app/i18n/messages.ts';

interface Props {
  message: Message | null | undefined;
  /** The same in English, for a message that this page does not know. */
  detail?: string | undefined;
}

function Rendered({ message, detail }: Props) {
  const text = useMessages().renderMessage(message);
  return text ?? <span lang="en">{detail}</span>;
}

/** A line that is as high as text, so that nothing moves when the catalogue has loaded. */
const Blank = (): ReactNode => '\u00a0';

/** Renders a sentence of the service in the user's language. */
export const MessageText = (props: Props) => (
  <Suspense fallback={<Blank />}>
    <Rendered {...props} />
  </Suspense>
);

const RenderedProblem = ({ problem }: { problem: ApiProblem }) => useMessages().renderProblem(problem);

/** Renders what a problem means, in the user's language. */
export const ProblemText = ({ problem }: { problem: ApiProblem }) => (
  <Suspense fallback={<Blank />}>
    <RenderedProblem problem={problem} />
  </Suspense>
);
