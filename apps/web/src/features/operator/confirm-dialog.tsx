import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { failureText } from '../../lib/failure-text.ts'

interface ConfirmDialogProps {
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  /** The button's label: the action. */
  readonly action: string
  readonly isDestructive?: boolean
  /** A word to type before an irreversible action, such as the name of what will be deleted. */
  readonly word?: string
  readonly running: {
    readonly isPending: boolean
    readonly error: unknown
    readonly mutate: () => void
  }
  readonly onClose: () => void
}

/** Explains an action and asks for confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isDestructive = false, word, running, onClose } = props
  const [typed, setTyped] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const isTyped = word === undefined || typed.trim().toLowerCase() === word.trim().toLowerCase()

  const confirm = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (isTyped) running.mutate()
  }

  return (
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form onSubmit={confirm} noValidate className="flex flex-col gap-6">
        {word !== undefined && (
          <TextField
            label={`To go on, type ${word}`}
            error={wasTried && !isTyped ? `That is not ${word}.` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={setTyped}
          />
        )}
        <FormError>{failureText(running.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={isDestructive ? 'destructive' : 'default'}
            busy={running.isPending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
