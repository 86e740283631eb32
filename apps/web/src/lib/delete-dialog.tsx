import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormError } from '../ui/form-error.tsx'
import { useToast } from '../ui/use-toast.ts'
import { failureText } from './failure-text.ts'

interface DeleteDialogProps {
  name: string
  title: string
  /** What goes with it. */
  description: ReactNode
  submit: string
  remove: () => Promise<unknown>
  onDeleted?: (() => void) | undefined
  onClose: () => void
  explain?: (error: unknown) => string | undefined
}

/** Asks before something with a name is deleted for good. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { name, title, description, submit, remove, onDeleted, onClose } = props
  const { explain = failureText } = props
  const showToast = useToast()
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      showToast({ title: t`${name} is deleted` })
      onClose()
      onDeleted?.()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <FormError>{removing.isError ? explain(removing.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={onClose}>
          <Trans>Keep it</Trans>
        </Button>
        <Button
          variant="destructive"
          busy={removing.isPending || removing.isSuccess}
          onClick={() => removing.mutate()}
        >
          {removing.isPending ? t`Deleting…` : submit}
        </Button>
      </div>
    </Dialog>
  )
}
