import type { ReactNode } from 'react'
import type { Reading } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { TextField } from '../../ui/text-field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  /** The button's label: the action. */
  readonly action: string
  readonly isDestructive?: boolean
  /** A word to type before an irreversible action, such as the name of what will be deleted. */
  readonly word?: string
  readonly running: { readonly mutateAsync: () => Promise<unknown> }
  readonly onClose: () => void
}

/** Explains an action and asks for confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isDestructive = false, word, running, onClose } = props
  const form = useApiForm({
    values: { confirmation: '' },
    read: ({ confirmation }): Reading<undefined> => {
      const isTyped = word === undefined || plain(confirmation) === plain(word)
      return isTyped ? { body: undefined } : { problems: { confirmation: `That is not ${word}.` } }
    },
    send: () => running.mutateAsync(),
  })
  return (
    <FormDialog
      form={form}
      title={title}
      description={children}
      submit={action}
      isDestructive={isDestructive}
      onClose={onClose}
    >
      {word !== undefined && (
        <TextField
          label={`To go on, type ${word}`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('confirmation')}
        />
      )}
    </FormDialog>
  )
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
