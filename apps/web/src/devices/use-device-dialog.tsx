import { useDialogOnDemand } from '../ui/use-dialog-on-demand.ts'
import type { DeviceAction, DeviceDialogProps } from './device-buttons.tsx'

const fetchDialog = async () => (await import('./device-dialog.tsx')).DeviceDialog

export function useDeviceDialog(options: Omit<DeviceDialogProps, 'action' | 'onClose'>) {
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
