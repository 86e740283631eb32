import { useDialogOnDemand } from '../ui/use-dialog-on-demand.ts'
import type { DeviceAction } from './device-buttons.tsx'
import type { DeviceDialogProps } from './device-dialog.tsx'

const fetchDialog = async () => (await import('./device-dialog.tsx')).DeviceDialog

interface DeviceDialogOptions {
  /** Describes a failed call. */
  readonly explain: (error: unknown) => string
  readonly onDeleted?: () => void
}

/** A function that opens the dialog for an action on a device, and the dialog to render on the page. */
export function useDeviceDialog(options: DeviceDialogOptions) {
  const {
    subject: action,
    open,
    close,
    Dialog,
  } = useDialogOnDemand<DeviceDialogProps, DeviceAction>(fetchDialog)
  return {
    open,
    dialog: Dialog && action && <Dialog action={action} onClose={close} {...options} />,
  }
}
