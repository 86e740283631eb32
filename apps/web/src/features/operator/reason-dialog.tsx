import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import { type FormEvent, type ReactNode, useState } from 'react'
import { failureText } from '../../lib/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useAction } from './operator-query.ts'

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
  const [reason, setReason] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const acting = useAction({ act: () => act(reason), done: () => done, onDone: onClose })
  const isMissing = reason.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (!isMissing) acting.mutate()
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-6">
        <Field
          label={`What ${reader} will read`}
          error={wasTried && isMissing ? 'Say why, in a few words.' : undefined}
        >
          {(wiring) => (
            <TextArea
              {...wiring}
              value={reason}
              maxLength={hiddenReasonMaxLength}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError>{failureText(acting.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="destructive" busy={acting.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
