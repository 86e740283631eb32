import type { OwnDevice } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import { Dialog } from '../../ui/dialog.tsx'
import { TokenList } from './token-list.tsx'

interface TokensDialogProps {
  device: OwnDevice
  onClose: () => void
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

export function TokensDialog({ device, onClose, explain }: TokensDialogProps) {
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
      <TokenList device={device} explain={explain} />
    </Dialog>
  )
}
