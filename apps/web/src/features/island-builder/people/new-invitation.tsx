import { createInvitation } from '@astropelago/contract/island-members'
import { invitationUsesMax } from '@astropelago/contract/limits'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { type ShownInvitation, useCreateInvitation } from '../../../islands/invitations-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const usesChoices = [
  { value: 1, name: 'Once' },
  { value: 5, name: '5 times' },
  { value: 25, name: '25 times' },
  { value: 100, name: '100 times' },
  { value: invitationUsesMax, name: `${invitationUsesMax} times` },
] as const

const daysChoices = [
  { value: 1, name: 'A day' },
  { value: 7, name: '7 days' },
  { value: 30, name: '30 days' },
  { value: 365, name: 'A year' },
] as const

interface NewInvitationProps {
  islandId: string
  onCreated: (invitation: ShownInvitation) => void
}

/** The form for a new invitation. */
export function NewInvitation({ islandId, onCreated }: NewInvitationProps) {
  const [note, setNote] = useState('')
  const [uses, setUses] = useState<number>(1)
  const [days, setDays] = useState<number>(7)
  const [noteError, setNoteError] = useState<string>()
  const noteInput = useRef<HTMLInputElement>(null)
  const creating = useCreateInvitation(islandId, (created) => {
    setNote('')
    onCreated(created)
  })
  const submit = () => {
    const body = { uses, days, note: note.trim() === '' ? null : note }
    const { issues } = v.safeParse(createInvitation.body, body)
    setNoteError(issues?.[0].message)
    if (issues) noteInput.current?.focus()
    else creating.mutate(body)
  }
  return (
    <form
      noValidate
      aria-label="New invitation"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!creating.isPending) submit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_auto_auto]">
        <TextField
          ref={noteInput}
          label="Note"
          optional
          hint="Only you see it. For example: who it is for."
          error={noteError ?? fieldErrors(creating.error)['note']}
          name="note"
          autoComplete="off"
          value={note}
          onChange={(text) => {
            setNote(text)
            setNoteError(undefined)
          }}
        />
        <Field label="Can be used" className="sm:w-36">
          {(wiring) => (
            <Select
              {...wiring}
              value={uses}
              onChange={({ target }) => setUses(Number(target.value))}
            >
              {usesChoices.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Ends after" className="sm:w-32">
          {(wiring) => (
            <Select
              {...wiring}
              value={days}
              onChange={({ target }) => setDays(Number(target.value))}
            >
              {daysChoices.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <FormError>{failureText(creating.error)}</FormError>
      <div>
        <Button type="submit" size="sm" busy={creating.isPending}>
          {creating.isPending ? 'Making…' : 'Make an invitation'}
        </Button>
      </div>
    </form>
  )
}
