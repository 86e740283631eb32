import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import { hideSubject } from '@astropelago/contract/reports'
import type { ReactNode } from 'react'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { TextAreaField } from '../../ui/text-field.tsx'
import { useAfterAction } from './operator-query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

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
    <FormDialog
      form={form}
      title={title}
      description={children}
      submit={action}
      isDestructive
      onClose={onClose}
    >
      <TextAreaField
        label={`What ${reader} will read`}
        maxLength={hiddenReasonMaxLength}
        {...form.text('reason')}
      />
    </FormDialog>
  )
}
