import { leaveNote } from '@astropelago/contract/island-log'
import { logTextMaxLength } from '@astropelago/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { islandLogQuery } from '../../../islands/island-log-query.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

const Draft = v.object({ text: v.string() })

/** The form for a visitor's note. The draft survives a reload and the end of the session. */
export function NoteForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { text: '' },
    draft: keptDraft(`note.${id}`, Draft),
    read: ({ text }) =>
      readBy(leaveNote.body, { text }, { text: text.trim() === '' && 'Write a few words first.' }),
    send: (body) => call(leaveNote, { params: { id }, body }),
    onSent: async () => {
      showToast({ title: 'Your note is in the log' })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-3">
      <TextAreaField
        label="Leave a note"
        rows={2}
        maxLength={logTextMaxLength}
        {...form.text('text')}
      />
      <FormError>{form.failure}</FormError>
      <Button type="submit" variant="secondary" size="sm" className="self-start" busy={form.isBusy}>
        {form.isBusy ? 'Leaving it…' : 'Leave note'}
      </Button>
    </form>
  )
}
