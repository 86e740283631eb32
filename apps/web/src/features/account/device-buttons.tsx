import type { OwnDevice } from '@astropelago/contract/devices'
import { Button } from '../../ui/button.tsx'
import { type DeviceAction, deviceActions } from './device-action.ts'

interface DeviceButtonsProps {
  device: OwnDevice
  onAction: (action: DeviceAction) => void
}

export function DeviceButtons({ device, onAction }: DeviceButtonsProps) {
  return (
    <div className="flex">
      {deviceActions.map(({ kind, name, Icon }) => {
        const title = `${name} ${device.label}`
        return (
          <Button
            key={kind}
            variant="ghost"
            size="icon"
            aria-label={title}
            title={title}
            onClick={() => onAction({ kind, device })}
          >
            <Icon aria-hidden className="text-muted" />
          </Button>
        )
      })}
    </div>
  )
}
