import type { ReactNode } from 'react'
import type { Reading } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'

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
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form {...form.wiring} className="flex flex-col gap-6">
        {word !== undefined && (
          <TextField
            label={`To go on, type ${word}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.text('confirmation')}
          />
        )}
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={isDestructive ? 'destructive' : 'default'}
            busy={form.isBusy}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
