import { useDialog } from '../ui/use-dialog.tsx'
import type { DeviceAction, DeviceDialogProps } from './device-buttons.tsx'

const fetchDialog = async () => (await import('./device-dialog.tsx')).DeviceDialog

export function useDeviceDialog(options: Omit<DeviceDialogProps, 'action' | 'onClose'>) {
  const { open, dialog } = useDialog<Omit<DeviceDialogProps, 'onClose'>>(fetchDialog)
  return { open: (action: DeviceAction) => open({ ...options, action }), dialog }
}
