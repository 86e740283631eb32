import { type ReactNode, useState } from 'react'
import { useOnDemand } from '../ui/use-on-demand.ts'
import { useToast } from '../ui/use-toast.ts'
import type { DeviceAction } from './device-buttons.tsx'

const fetchDialog = async () => (await import('./device-dialog.tsx')).DeviceDialog

interface DeviceDialogOptions {
  readonly explain: (error: unknown) => string
  readonly onDeleted?: () => void
}

export function useDeviceDialog(options: DeviceDialogOptions) {
  const [action, setAction] = useState<DeviceAction>()
  const [loaded, load] = useOnDemand(fetchDialog)
  const showToast = useToast()

  const open = async (chosen: DeviceAction) => {
    if (await load()) setAction(chosen)
    else {
      showToast({
        title: 'This could not be loaded',
        description: 'Check the connection and try again.',
        tone: 'failure',
      })
    }
  }
  const dialog: ReactNode = loaded.step === 'ready' && action && (
    <loaded.Component action={action} onClose={() => setAction(undefined)} {...options} />
  )
  return { open: (chosen: DeviceAction) => void open(chosen), dialog }
}
