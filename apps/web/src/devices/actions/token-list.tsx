import type { OwnDevice } from '@astropelago/contract/devices'
import { Link } from 'react-router'
import KeyRound from 'virtual:icon/key-round'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import { useNow } from '../../lib/use-now.ts'
import { useDeviceTokens } from './device-tokens-query.ts'
import { TokenItem } from './token-item.tsx'

const clockMs = 5000

interface TokenListProps {
  device: Pick<OwnDevice, 'id'>
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

/** A device's tokens, and a button to create another. */
export function TokenList({ device, explain }: TokenListProps) {
  const query = useDeviceTokens(device.id)
  const nowMs = useNow(clockMs)
  const tokens = query.data ?? []
  return (
    <>
      {query.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {query.isSuccess && tokens.length === 0 && (
        <EmptyState icon={<KeyRound aria-hidden />} title="No tokens yet">
          <p>Generate one so that the device can report by itself.</p>
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <ul aria-label="Device tokens" className="flex min-w-0 flex-col border-y border-line">
          {tokens.map((token) => (
            <TokenItem
              key={token.id}
              deviceId={device.id}
              token={token}
              nowMs={nowMs}
              explain={explain}
            />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="tokens" />
      <Link
        to={paths.connectDevice(device.id)}
        className={buttonStyles({ variant: tokens.length > 0 ? 'outline' : 'default' })}
      >
        Generate a token
      </Link>
    </>
  )
}
