import type { OwnDevice } from '@astropelago/contract/devices'
import { Button } from '../../ui/button.tsx'
import { type DeviceAction, deviceActions } from './device-action.ts'

interface DeviceButtonsProps {
  device: OwnDevice
  onAction: (action: DeviceAction) => void
}

/** The actions on a device. Each button has an icon above a word, and a full accessible name. */
export function DeviceButtons({ device, onAction }: DeviceButtonsProps) {
  return (
    <div className="flex">
      {deviceActions.map(({ kind, label, name, Icon }) => {
        const title = `${name} ${device.label}`
        return (
          <Button
            key={kind}
            variant="ghost"
            size="icon"
            aria-label={title}
            className="h-12! w-16! flex-col gap-1! text-xs"
            onClick={() => onAction({ kind, device })}
          >
            <Icon aria-hidden className="text-muted" />
            {label}
          </Button>
        )
      })}
    </div>
  )
}
