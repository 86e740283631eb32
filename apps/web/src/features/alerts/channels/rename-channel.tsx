import type { AlertChannel } from '@astropelago/contract/alert-channels'
import { useEffect, useRef, useState } from 'react'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useUpdateChannel } from './channels-query.ts'

interface RenameChannelProps {
  channel: AlertChannel
  onClose: () => void
}

/** Changes a channel's name in the list. */
export function RenameChannel({ channel, onClose }: RenameChannelProps) {
  const [name, setName] = useState(channel.name)
  const input = useRef<HTMLInputElement>(null)
  const renaming = useUpdateChannel(channel.id, onClose)
  useEffect(() => input.current?.focus(), [])
  return (
    <form
      noValidate
      aria-label={`Rename ${channel.name}`}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!renaming.isPending)
          renaming.mutate({ name }, { onError: () => input.current?.focus() })
      }}
    >
      <TextField
        label="Name"
        error={fieldErrors(renaming.error)['name'] ?? failureText(renaming.error)}
        ref={input}
        name="channel-name"
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={renaming.isPending}>
          {renaming.isPending ? 'Saving…' : 'Save name'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
