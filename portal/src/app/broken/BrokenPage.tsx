import { Component, type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { Action } from '../../ui/Action.tsx';
import { IconPlugConnectedX } from '../../ui/icons.gen.ts';
import { EmptyState } from '../../ui/Query.tsx';
import { useReader } from '../i18n/reader.ts';

const reload = () => window.location.reload();

/**
 * Shown when a page breaks. The usual causes are a chunk that a newer build has replaced, which a reload fixes, and a
 * lost connection: the page comes back by itself together with it.
 */
function BrokenPage() {
  const { t } = useReader();
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title={t('brokenTitle')}
      hint={t(navigator.onLine ? 'brokenHint' : 'brokenOffline')}
      actions={<Action onClick={reload} label={t('reload')} />}
    />
  );
}

interface BoundaryProps {
  /** The address of what is shown. Another one is tried anew. */
  place: string;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError = () => ({ isBroken: true });
  override componentDidUpdate({ place }: BoundaryProps) {
    if (this.state.isBroken && place !== this.props.place) this.setState({ isBroken: false });
  }
  override render = () => (this.state.isBroken ? <BrokenPage /> : this.props.children);
}

/** Shows that a page is broken in its place only, so that the navigation around it stays. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary place={useLocation().key}>{children}</Boundary>
);
