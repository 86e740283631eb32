import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import { hideSubject } from '@astropelago/contract/reports'
import type { ReactNode } from 'react'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { useAfterAction } from './operator-query.ts'

interface ReasonDialogProps {
  readonly title: string
  /** The reader of the reason, such as 'its owner'. */
  readonly reader: string
  /** The button's label: the action. */
  readonly action: string
  readonly act: (reason: string) => Promise<unknown>
  /** The message after success. */
  readonly done: string
  /** The consequences. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Takes something away from a user, with a reason for them. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, reader, action, act, done, children, onClose } = props
  const after = useAfterAction()
  const form = useApiForm({
    values: { reason: '' },
    read: ({ reason }) =>
      readBy(
        hideSubject.body,
        { reason },
        { reason: reason.trim() === '' && 'Say why, in a few words.' },
      ),
    send: ({ reason }) => act(reason),
    onSent: () => {
      after(done)
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextAreaField
          label={`What ${reader} will read`}
          maxLength={hiddenReasonMaxLength}
          {...form.text('reason')}
        />
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="destructive" busy={form.isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
