import type { DeviceAction } from './device-action.ts'
import { DeleteDeviceDialog } from './delete-device-dialog.tsx'
import { EditDeviceDialog } from './edit-device-dialog.tsx'
import { HeartbeatDialog } from './heartbeat-dialog.tsx'
import { TokensDialog } from './tokens-dialog.tsx'

const dialogs = {
  edit: EditDeviceDialog,
  tokens: TokensDialog,
  heartbeat: HeartbeatDialog,
  delete: DeleteDeviceDialog,
} as const satisfies Record<DeviceAction['kind'], unknown>

interface DeviceDialogProps {
  action: DeviceAction
  onClose: () => void
  /** Called after the device is deleted. */
  onDeleted?: () => void
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

/** The dialog for an action. All dialogs load together with the first one. */
export function DeviceDialog({ action, ...rest }: DeviceDialogProps) {
  const Chosen = dialogs[action.kind]
  return <Chosen device={action.device} {...rest} />
}
