import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useWords } from '../app/i18n/words.ts';

interface Props {
  name: string;
  username: string;
}

/** Names an API key, with a link to its page. */
export function KeyName({ name, username }: Props) {
  const words = useWords();
  return (
    <>
      {words.actor.key}{' '}
      <Anchor component={Link} to={`/keys/${username}`} inherit underline="always" title={username}>
        {name}
      </Anchor>
    </>
  );
}
