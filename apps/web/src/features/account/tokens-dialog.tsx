import type { OwnDevice } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import { KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ListFailure } from '../devices/list-failure.tsx'
import { useNow } from '../devices/use-now.ts'
import { useDeviceTokens } from './device-tokens-query.ts'
import { TokenItem } from './token-item.tsx'

const clockMs = 5000

interface TokensDialogProps {
  device: OwnDevice
  onClose: () => void
}

export function TokensDialog({ device, onClose }: TokensDialogProps) {
  const query = useDeviceTokens(device.id)
  const nowMs = useNow(clockMs)
  const tokens = query.data ?? []
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Device tokens"
      description={
        <>
          What <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> reports
          with, up to {tokensPerDevice}. Their secrets were shown once, when they were made.
        </>
      }
      wide
    >
      {query.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {query.isSuccess && tokens.length === 0 && (
        <EmptyState icon={<KeyRound aria-hidden />} title="No tokens yet">
          <p>Generate one, and the device can report by itself.</p>
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <ul aria-label="Device tokens" className="flex min-w-0 flex-col border-y border-line">
          {tokens.map((token) => (
            <TokenItem key={token.id} deviceId={device.id} token={token} nowMs={nowMs} />
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
    </Dialog>
  )
}
