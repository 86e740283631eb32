import { publicDevicesListed } from '@astropelago/contract/limits'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import type { NodeSource } from '../nodes/node-source.ts'
import { useSourceState } from '../nodes/use-source-state.ts'

/** What there is to say about the list as a whole: it failed, it is empty, or it is cut off. */
export function LoadLine({ source }: { source: NodeSource }) {
  const { phase, isBusy, size } = useSourceState(source)
  if (phase === 'failed' || phase === 'stale') {
    return (
      <ErrorLine busy={isBusy} onRetry={() => source.retry()}>
        {phase === 'failed'
          ? 'The devices could not be loaded.'
          : 'The devices could not be updated: this is the last list that arrived.'}
      </ErrorLine>
    )
  }
  if (size === undefined) return <p className="text-sm text-muted">Loading the devices…</p>
  if (size.total > size.listed) {
    return (
      <p data-numeric className="text-sm text-muted">
        These are the {publicDevicesListed.toLocaleString('en')} devices last seen, of{' '}
        {size.total.toLocaleString('en')} that are public.
      </p>
    )
  }
  if (size.total > 0) return null
  return (
    <p className="text-sm text-muted">
      No public devices yet.{' '}
      <Link to={paths.connect()} className="text-accent underline underline-offset-4">
        Connect yours
      </Link>{' '}
      and it appears here.
    </p>
  )
}
