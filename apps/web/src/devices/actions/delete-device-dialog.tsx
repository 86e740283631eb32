import type { OwnDevice } from '@astropelago/contract/devices'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { useOwnDeviceChanges } from '../own-device-changes.ts'

interface DeleteDeviceDialogProps {
  device: OwnDevice
  onClose: () => void
  onDeleted?: (() => void) | undefined
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

export function DeleteDeviceDialog({
  device,
  onClose,
  onDeleted,
  explain,
}: DeleteDeviceDialogProps) {
  const { remove } = useOwnDeviceChanges()
  const showToast = useToast()
  const removing = useMutation({
    mutationFn: () => remove(device.id),
    onSuccess: () => {
      showToast({ title: `${device.label} is deleted` })
      onClose()
      onDeleted?.()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this device?"
      description={
        <>
          <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> is deleted with
          its place and its tokens, which stop working at once. This can’t be undone.
        </>
      }
    >
      <FormError>{removing.isError ? explain(removing.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={onClose}>
          Keep it
        </Button>
        <Button
          variant="destructive"
          busy={removing.isPending || removing.isSuccess}
          onClick={() => removing.mutate()}
        >
          {removing.isPending ? 'Deleting…' : 'Delete device'}
        </Button>
      </div>
    </Dialog>
  )
}
