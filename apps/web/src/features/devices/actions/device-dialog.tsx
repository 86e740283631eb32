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
  /** What is done besides, once the device is gone. */
  onDeleted?: () => void
  /** What is said of a call that failed. */
  explain: (error: unknown) => string
}

/** The dialog for an action; one piece of code that is loaded with the first of them. */
export function DeviceDialog({ action, ...rest }: DeviceDialogProps) {
  const Chosen = dialogs[action.kind]
  return <Chosen device={action.device} {...rest} />
}
