import { joinIsland } from '@astropelago/contract/island-members'
import type { IslandView } from '@astropelago/contract/islands'
import { joinTextMaxLength } from '@astropelago/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { useJoin } from './island-actions.ts'

/** Sends the host a request to join, with an optional message. */
export function AskToJoin({ island }: { island: IslandView }) {
  const [isWriting, setIsWriting] = useState(false)
  const join = useJoin(island)
  const form = useApiForm({
    values: { text: '' },
    read: (typed) => readBy(joinIsland.body, typed),
    send: ({ text }) => join.mutateAsync(text),
  })
  const askButton = useRef<HTMLButtonElement>(null)
  const { ref } = form.wiring

  // The focused button is gone: the field takes the focus, and later returns it.
  const wasWriting = useRef(false)
  useEffect(() => {
    if (isWriting) ref.current?.querySelector('textarea')?.focus()
    else if (wasWriting.current) askButton.current?.focus()
    wasWriting.current = isWriting
  }, [isWriting, ref])

  if (!isWriting) {
    return (
      <Button ref={askButton} onClick={() => setIsWriting(true)}>
        Ask to join
      </Button>
    )
  }

  return (
    <form {...form.wiring} className="flex w-full flex-col gap-4">
      <TextAreaField
        label="A message to its host"
        optional
        hint="Say who you are and how you heard of the island. The host also sees your username."
        maxLength={joinTextMaxLength}
        {...form.text('text')}
      />
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.isBusy}>
          {form.isBusy ? 'Asking…' : 'Ask to join'}
        </Button>
        <Button variant="outline" onClick={() => setIsWriting(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
