import { hiddenReasonMaxLength } from '@astropelago/contract/limits'
import { hideThing, type ReportKind } from '@astropelago/contract/reports'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { failureText } from '../../lib/failure-text.ts'
import { useAction } from './operator-query.ts'

interface HideDialogProps {
  readonly title: string
  readonly subject: { readonly kind: ReportKind; readonly id: string }
  readonly name: string
  /** Who reads why: 'its owner'. */
  readonly reader: string
  /** What will happen. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Hides a thing from everybody but whose it is, with a reason for that one. */
export function HideDialog({ title, subject, name, reader, children, onClose }: HideDialogProps) {
  const [reason, setReason] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const hiding = useAction({
    act: () => call(hideThing, { params: subject, body: { reason } }),
    done: () => `${name} is hidden`,
    onDone: onClose,
  })
  const isMissing = reason.trim() === ''
  const hide = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (!isMissing) hiding.mutate()
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={children}>
      <form onSubmit={hide} noValidate className="flex flex-col gap-6">
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
        <FormError>{failureText(hiding.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="destructive" busy={hiding.isPending}>
            Hide it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
