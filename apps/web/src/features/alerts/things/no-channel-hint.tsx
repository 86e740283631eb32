import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { channelsQuery } from '../channels/channels-query.ts'

/** For whoever could be told nothing yet; nothing for others. */
export function NoChannelHint() {
  const { data } = useQuery(channelsQuery)
  const canBeTold = data?.channels.some(({ state }) => state === 'ready' || state === 'failing')
  if (canBeTold !== false) return null
  return (
    <p className="rounded-control bg-raised px-4 py-3 text-sm">
      Nothing reaches you yet: you have no channel that is ready.{' '}
      <Link to={paths.accountPart('alerts')} className={buttonStyles({ variant: 'link' })}>
        Add one in your account
      </Link>
    </p>
  )
}
