import { sendSignal } from '@astropelago/contract/island-log'
import { logTextMaxLength } from '@astropelago/contract/limits'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import * as v from 'valibot'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { islandLogQuery } from '../../../islands/island-log-query.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** The time has the format of a `datetime-local` field, in the browser's time zone; empty for none. */
const Draft = v.object({ text: v.string(), eventAt: v.string() })
const empty: v.InferOutput<typeof Draft> = { text: '', eventAt: '' }

/** The form for a host's message to visitors, optionally with an event time. */
export function SignalForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const kept = useMemo(() => keptDraft(`signal.${id}`, Draft), [id])
  const [draft, setDraft] = useState(() => kept.read() ?? empty)
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const sending = useMutation({
    mutationFn: () => call(sendSignal, { params: { id }, body: signalOf(draft) }),
    onSuccess: async () => {
      setDraft(empty)
      kept.clear()
      showToast({ title: 'Your signal is sent' })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })
  const change = (changes: Partial<typeof draft>) => {
    const changed = { ...draft, ...changes }
    setDraft(changed)
    setIsMissing(false)
    kept.write(changed)
  }

  const send = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = draft.text.trim() === ''
    setIsMissing(isEmpty)
    if (isEmpty) field.current?.focus()
    else if (!sending.isPending) sending.mutate()
  }
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-3">
      <Field
        label="Send a signal"
        hint="Everybody who may enter reads it here."
        error={isMissing ? 'Write a few words first.' : undefined}
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            ref={field}
            rows={2}
            value={draft.text}
            maxLength={logTextMaxLength}
            onChange={({ target }) => change({ text: target.value })}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="When it happens"
          optional
          className="min-w-0 basis-60"
          type="datetime-local"
          value={draft.eventAt}
          onChange={(eventAt) => change({ eventAt })}
        />
        <Button type="submit" variant="secondary" busy={sending.isPending}>
          {sending.isPending ? 'Sending…' : 'Send signal'}
        </Button>
      </div>
      <p className="text-xs text-muted">
        Enter the time by your own clock. Each visitor sees it by theirs.
      </p>
      <FormError>{failureText(sending.error)}</FormError>
    </form>
  )
}

function signalOf({ text, eventAt }: v.InferOutput<typeof Draft>) {
  return { text, eventAt: eventAt === '' ? null : new Date(eventAt).toISOString() }
}
