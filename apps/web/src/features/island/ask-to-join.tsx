import type { IslandView } from '@astropelago/contract/islands'
import { joinTextMaxLength } from '@astropelago/contract/limits'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { failureText } from '../../lib/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useJoin } from './island-actions.ts'

/** Sends the host a request to join, with an optional message. */
export function AskToJoin({ island }: { island: IslandView }) {
  const [isWriting, setIsWriting] = useState(false)
  const [text, setText] = useState('')
  const joining = useJoin(island)
  const askButton = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  // The focused button is gone: the field takes the focus, and later returns it.
  const wasWriting = useRef(false)
  useEffect(() => {
    if (isWriting) field.current?.focus()
    else if (wasWriting.current) askButton.current?.focus()
    wasWriting.current = isWriting
  }, [isWriting])

  if (!isWriting) {
    return (
      <Button ref={askButton} onClick={() => setIsWriting(true)}>
        Ask to join
      </Button>
    )
  }

  const ask = (event: FormEvent) => {
    event.preventDefault()
    joining.mutate(text)
  }
  return (
    <form noValidate onSubmit={ask} className="flex w-full flex-col gap-4">
      <Field
        label="A message to its host"
        optional
        hint="Say who you are and how you heard of the island. The host also sees your username."
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            ref={field}
            value={text}
            maxLength={joinTextMaxLength}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <FormError>{failureText(joining.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={joining.isPending}>
          {joining.isPending ? 'Asking…' : 'Ask to join'}
        </Button>
        <Button variant="outline" onClick={() => setIsWriting(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
