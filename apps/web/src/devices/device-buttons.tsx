import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import KeyRound from 'virtual:icon/key-round'
import Pencil from 'virtual:icon/pencil'
import SquareTerminal from 'virtual:icon/square-terminal'
import Trash from 'virtual:icon/trash'
import { Button } from '../ui/button.tsx'

const deviceActions = [
  {
    kind: 'edit',
    label: t`Edit`,
    titleFor: (device: string) => t`Edit ${device}`,
    Icon: Pencil,
  },
  {
    kind: 'tokens',
    label: t`Tokens`,
    titleFor: (device: string) => t`Tokens of ${device}`,
    Icon: KeyRound,
  },
  {
    kind: 'heartbeat',
    label: t`Heartbeat`,
    titleFor: (device: string) => t`Heartbeat command for ${device}`,
    Icon: SquareTerminal,
  },
  {
    kind: 'delete',
    label: t`Delete`,
    titleFor: (device: string) => t`Delete ${device}`,
    Icon: Trash,
  },
] as const

export interface DeviceAction {
  readonly kind: (typeof deviceActions)[number]['kind']
  readonly device: OwnDevice
}

export interface DeviceDialogProps {
  readonly action: DeviceAction
  readonly onClose: () => void
  readonly onDeleted?: () => void
  /** Describes a failed call. */
  readonly explain: (error: unknown) => string
}

interface DeviceButtonsProps {
  device: OwnDevice
  onAction: (action: DeviceAction) => void
}

export function DeviceButtons({ device, onAction }: DeviceButtonsProps) {
  return (
    <div className="flex">
      {deviceActions.map(({ kind, label, titleFor, Icon }) => (
        <Button
          key={kind}
          variant="ghost"
          size="icon"
          aria-label={titleFor(device.label)}
          className="h-12! w-16! flex-col gap-1! text-xs"
          onClick={() => onAction({ kind, device })}
        >
          <Icon aria-hidden className="text-muted" />
          {label}
        </Button>
      ))}
    </div>
  )
}
