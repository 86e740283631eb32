import { updateMe } from '@astropelago/contract/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { showUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { useFieldNotes } from '../../../lib/use-field-notes.ts'
import { accountFailure } from '../account-failure.ts'

interface NameFormProps {
  name: string
  onClose: () => void
}

/** Changes the display name. A blank name removes it. */
export function NameForm({ name, onClose }: NameFormProps) {
  const [typed, setTyped] = useState(name)
  const notes = useFieldNotes({ name: typed }, noteOnName)
  const input = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const showToast = useToast()

  const saving = useMutation({
    mutationFn: async () => {
      const trimmed = typed.trim()
      return call(updateMe, { body: { name: trimmed === '' ? null : trimmed } })
    },
    onSuccess: ({ user }) => {
      showUser(client, user)
      showToast({ title: 'Display name saved' })
      onClose()
    },
    onError: () => input.current?.focus(),
  })

  useEffect(() => input.current?.focus(), [])

  const problem = saving.isError ? nameProblem(saving.error) : undefined
  return (
    <form
      noValidate
      onMouseDownCapture={notes.onMouseDownCapture}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) saving.mutate()
      }}
    >
      <TextField
        label="Display name"
        optional
        error={problem}
        note={problem === undefined ? notes.noteFor('name') : undefined}
        hint="Shown next to your username. You can leave it empty."
        ref={input}
        name="name"
        autoComplete="name"
        value={typed}
        onChange={(text) => {
          setTyped(text)
          notes.follow({ name: text })
        }}
        onBlur={() => void notes.leave('name')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save name'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function nameProblem(error: unknown): string {
  const atField = error instanceof ApiError ? error.fields['name'] : undefined
  return atField ?? accountFailure(error)
}

/** The server's reason to refuse the name, if it would. */
function noteOnName(_field: 'name', name: string): string | undefined {
  const { issues } = v.safeParse(updateMe.body, { name: name.trim() || null })
  return issues?.[0].message
}
