import { sendSignal } from '@astropelago/contract/island-log'
import { logTextMaxLength } from '@astropelago/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { islandLogQuery } from '../../../islands/island-log-query.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { fromLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** The time has the format of a `datetime-local` field, in the browser's time zone; empty for none. */
const Draft = v.object({ text: v.string(), eventAt: v.string() })

/** The form for a host's message to visitors, optionally with an event time. */
export function SignalForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { text: '', eventAt: '' },
    draft: keptDraft(`signal.${id}`, Draft),
    read: ({ text, eventAt }) =>
      readBy(
        sendSignal.body,
        { text, eventAt: eventAt === '' ? null : (fromLocalInput(eventAt) ?? eventAt) },
        { text: text.trim() === '' && 'Write a few words first.' },
      ),
    send: (body) => call(sendSignal, { params: { id }, body }),
    onSent: async () => {
      showToast({ title: 'Your signal is sent' })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-3">
      <TextAreaField
        label="Send a signal"
        hint="Everybody who may enter reads it here."
        rows={2}
        maxLength={logTextMaxLength}
        {...form.text('text')}
      />
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="When it happens"
          optional
          className="min-w-0 basis-60"
          type="datetime-local"
          {...form.text('eventAt')}
        />
        <Button type="submit" variant="secondary" busy={form.isBusy}>
          {form.isBusy ? 'Sending…' : 'Send signal'}
        </Button>
      </div>
      <p className="text-xs text-muted">
        Enter the time by your own clock. Each visitor sees it by theirs.
      </p>
      <FormError>{form.failure}</FormError>
    </form>
  )
}
