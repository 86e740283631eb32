import { leaveNote } from '@astropelago/contract/island-log'
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
import { useToast } from '../../../ui/use-toast.ts'

/** The form for a visitor's note. The draft survives a reload and the end of the session. */
export function NoteForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const draft = useMemo(() => keptDraft(`note.${id}`, v.string()), [id])
  const [text, setText] = useState(() => draft.read() ?? '')
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const leaving = useMutation({
    mutationFn: () => call(leaveNote, { params: { id }, body: { text } }),
    onSuccess: async () => {
      setText('')
      draft.clear()
      showToast({ title: 'Your note is in the log' })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })

  const leave = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = text.trim() === ''
    setIsMissing(isEmpty)
    if (isEmpty) field.current?.focus()
    else if (!leaving.isPending) leaving.mutate()
  }
  return (
    <form noValidate onSubmit={leave} className="flex flex-col gap-3">
      <Field label="Leave a note" error={isMissing ? 'Write a few words first.' : undefined}>
        {(wiring) => (
          <TextArea
            {...wiring}
            ref={field}
            rows={2}
            value={text}
            maxLength={logTextMaxLength}
            onChange={({ target }) => {
              setText(target.value)
              setIsMissing(false)
              draft.write(target.value)
            }}
          />
        )}
      </Field>
      <FormError>{failureText(leaving.error)}</FormError>
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        className="self-start"
        busy={leaving.isPending}
      >
        {leaving.isPending ? 'Leaving it…' : 'Leave note'}
      </Button>
    </form>
  )
}
