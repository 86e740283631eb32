import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import { hideSubject } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { readBy, type Reading } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { verbatimInput } from '../../ui/verbatim-input.ts'
import { useAfterAction } from './operator-query.ts'

interface DialogButtonProps extends ComponentProps<typeof Button> {
  readonly renderDialog: (close: () => void) => ReactNode
}

export function DialogButton({ renderDialog, ...button }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="outline" {...button} onClick={() => setIsOpen(true)} />
      {isOpen && renderDialog(() => setIsOpen(false))}
    </>
  )
}

interface ActionButtonProps
  extends
    Omit<ActionDialogProps<unknown>, 'onClose'>,
    Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  readonly label: string
  /** The button's accessible name, if there are several with the same label. */
  readonly name?: string
}

/** A button for an operator's action, which a dialog explains before it runs. */
export function ActionButton({ label, name, variant, size, ...action }: ActionButtonProps) {
  return (
    <DialogButton
      variant={variant ?? 'outline'}
      size={size}
      aria-label={name}
      renderDialog={(close) => <ActionDialog {...action} onClose={close} />}
    >
      {label}
    </DialogButton>
  )
}

interface ActionDialogProps<Answer> {
  readonly title: string
  readonly children: ReactNode
  readonly action: string
  readonly isDestructive?: boolean
  /** A word to type before an irreversible action, such as the name of what will be deleted. */
  readonly word?: string
  /** The label of the field for the action's reason. Without one, no reason is asked. */
  readonly reasonLabel?: string
  readonly act: (reason: string) => Promise<Answer>
  /** The message after success. Absent if the screen itself shows the result. */
  readonly done?: string
  /** Called after success. By default, the dialog closes. */
  readonly onDone?: (answer: Answer) => void
  readonly onClose: () => void
}

/** Explains an action and asks for confirmation, and for a reason if somebody will read it. */
export function ActionDialog<Answer>(props: ActionDialogProps<Answer>) {
  const { title, children, action, word, reasonLabel, act, done, onClose, onDone = onClose } = props
  const { isDestructive = reasonLabel !== undefined } = props
  const after = useAfterAction()
  const form = useApiForm({
    values: { confirmation: '', reason: '' },
    read: ({ confirmation, reason }): Reading<{ reason: string }> => {
      if (word !== undefined && plain(confirmation) !== plain(word)) {
        return { problems: { confirmation: t`That is not ${word}.` } }
      }
      if (reasonLabel === undefined) return { body: { reason } }
      const problem = reason.trim() === '' && t`Say why, in a few words.`
      return readBy(hideSubject.body, { reason }, { reason: problem })
    },
    send: ({ reason }) => act(reason),
    onSent: (answer) => {
      after(done)
      onDone(answer)
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form {...form.wiring} className="flex flex-col gap-6">
        {word !== undefined && (
          <TextField
            label={t`To go on, type ${word}`}
            {...verbatimInput}
            {...form.text('confirmation')}
          />
        )}
        {reasonLabel !== undefined && (
          <TextAreaField
            label={reasonLabel}
            maxLength={hiddenReasonMaxLength}
            {...form.text('reason')}
          />
        )}
        <FormActions
          form={form}
          submit={action}
          variant={isDestructive ? 'destructive' : 'default'}
          isCancelFirst
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
