import type { OwnIsland } from '@astropelago/contract/islands'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const headingId = 'close-heading'

interface CloseCardProps {
  island: OwnIsland
  onClosed: () => void
}

/** Deletes an island after its address has been typed. */
export function CloseCard({ island, onClosed }: CloseCardProps) {
  const { slug, memberCount } = island
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const { close } = useOwnIslandChanges()
  const refuse = (text: string) => {
    setError(text)
    input.current?.focus()
  }
  const wrong = `Type ${slug} if you are sure`
  const closing = useMutation({
    mutationFn: () => close(island),
    onSuccess: onClosed,
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'invalid_input') refuse(wrong)
    },
  })
  const isBusy = closing.isPending || closing.isSuccess
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Delete for good"
        description="This is deleted at once and can’t be restored:"
      />
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-muted marker:text-faint">
        <li>its page, its picture and its place in Discover and on the star chart</li>
        <li>its log, with everybody’s notes and your signals</li>
        <li>
          its invitations, requests and{' '}
          {memberCount === 1 ? 'one member' : `${memberCount} members`}
        </li>
      </ul>
      <p className="text-sm text-muted">
        The website or program that it led to stays as it is. Nobody else can get its address.
      </p>
      <form
        noValidate
        aria-labelledby={headingId}
        className="flex flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isBusy) return
          if (typed.trim().toLowerCase() === slug) closing.mutate()
          else refuse(wrong)
        }}
      >
        <TextField
          ref={input}
          className="w-full sm:max-w-96"
          label={`Type its address, ${slug}, to confirm`}
          error={error}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setError(undefined)
          }}
        />
        <FormError>
          {closing.isError && error === undefined ? failureText(closing.error) : undefined}
        </FormError>
        <Button type="submit" variant="destructive" size="sm" busy={isBusy}>
          {isBusy ? 'Deleting…' : 'Delete this island for good'}
        </Button>
      </form>
    </Card>
  )
}
