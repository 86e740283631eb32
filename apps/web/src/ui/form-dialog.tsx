import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, 'open' | 'onOpenChange'> {
  form: {
    readonly wiring: ComponentProps<'form'>
    readonly failure: string | undefined
    readonly isBusy: boolean
  }
  cancel?: string
  submit: string
  isDestructive?: boolean
  onClose: () => void
}

/** Asks a question before an action. The children are fields, if there are any. */
export function FormDialog(props: FormDialogProps) {
  const { form, cancel = 'Cancel', submit, isDestructive, onClose, children, ...dialog } = props
  return (
    <Dialog {...dialog} open onOpenChange={onClose}>
      <form {...form.wiring} className="flex flex-col gap-6">
        {children}
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            variant={isDestructive === true ? 'destructive' : 'default'}
            busy={form.isBusy}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
