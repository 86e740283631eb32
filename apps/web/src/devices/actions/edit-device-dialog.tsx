import type { OwnDevice } from '@astropelago/contract/devices'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { draftOf } from '../device-draft.ts'
import { DeviceForm } from '../device-form.tsx'
import { useOwnDeviceChanges } from '../own-device-changes.ts'

interface EditDeviceDialogProps {
  device: OwnDevice
  onClose: () => void
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

export function EditDeviceDialog({ device, onClose, explain }: EditDeviceDialogProps) {
  const { update } = useOwnDeviceChanges()
  const showToast = useToast()
  return (
    <Dialog open onOpenChange={onClose} title="Edit device" wide>
      <DeviceForm
        initial={draftOf(device)}
        // An empty link removes the stored one, so send null. Registering just omits it.
        save={(details) => update(device.id, { ...details, link: details.link ?? null })}
        onSaved={() => {
          showToast({ title: 'Changes saved' })
          onClose()
        }}
        explain={explain}
        submitLabel="Save changes"
        busyLabel="Saving…"
      >
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </DeviceForm>
    </Dialog>
  )
}
