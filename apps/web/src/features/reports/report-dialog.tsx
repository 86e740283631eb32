import { reportTextMaxLength } from '@astropelago/contract/limits'
import { type ReportKind, type ReportReason, sendReport } from '@astropelago/contract/reports'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, ConnectionError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/use-toast.ts'

/** The subject of a report. */
export interface ReportedSubject {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
}

const reasons: readonly (readonly [ReportReason, name: string])[] = [
  ['privacy', 'It gives somebody’s privacy away'],
  ['abuse', 'It is hateful, or harasses somebody'],
  ['illegal', 'It breaks the law'],
  ['misleading', 'It pretends to be something it isn’t'],
  ['spam', 'It is spam or advertising'],
  ['other', 'Something else'],
]

const kindNames: Readonly<Record<ReportKind, string>> = {
  device: 'device',
  island: 'island',
  'log-entry': 'line',
}

interface ReportDialogProps {
  readonly subject: ReportedSubject
  readonly onClose: () => void
}

/** Asks what is wrong with a subject, and reports it to the operator. */
export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const { kind, id, name } = subject
  const showToast = useToast()
  const [reason, setReason] = useState<ReportReason>()
  const [text, setText] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: (chosen: ReportReason) =>
      call(sendReport, { body: { kind, id, reason: chosen, text } }),
    onSuccess: () => {
      showToast({
        title: 'Your report is sent',
        description: 'Whoever runs this server will look at it.',
      })
      onClose()
    },
  })
  const missing = {
    reason: reason === undefined ? 'Choose what is wrong with it.' : undefined,
    text:
      reason === 'other' && text.trim() === '' ? 'Say in a few words what is wrong.' : undefined,
  }

  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (reason === undefined) form.current?.querySelector('input')?.focus()
    else if (missing.text !== undefined) form.current?.querySelector('textarea')?.focus()
    else sending.mutate(reason)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Report this ${kindNames[kind]}`}
      description={
        <>
          <bdi className="font-medium wrap-anywhere text-ink">{name}</bdi> is shown to whoever runs
          this server, with your username and what you write here. The person who made it does not
          learn who reported it.
        </>
      }
    >
      <form ref={form} noValidate onSubmit={send} className="flex flex-col gap-5">
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="mb-2 text-sm font-medium text-ink">What is wrong with it?</legend>
          {reasons.map(([value, label]) => (
            <RadioCard
              key={value}
              name="reason"
              value={value}
              align="center"
              className="py-2.5!"
              checked={reason === value}
              onChange={() => setReason(value)}
            >
              <span className="text-sm text-ink">{label}</span>
            </RadioCard>
          ))}
          {wasTried && missing.reason && (
            <p role="alert" className="text-sm text-danger">
              {missing.reason}
            </p>
          )}
        </fieldset>
        <Field
          label="What should they know?"
          optional={reason !== 'other'}
          error={wasTried ? missing.text : undefined}
        >
          {(wiring) => (
            <TextArea
              {...wiring}
              value={text}
              maxLength={reportTextMaxLength}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <FormError>{sending.isError ? failureText(sending.error, kind) : undefined}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={sending.isPending}>
            {sending.isPending ? 'Sending…' : 'Send report'}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function failureText(error: unknown, kind: ReportKind): string {
  if (error instanceof ConnectionError) return error.sentence
  if (!(error instanceof ApiError)) return 'This did not work. Try again in a moment.'
  return error.code === 'not_found'
    ? `This ${kindNames[kind]} is not public any more.`
    : error.sentence
}
