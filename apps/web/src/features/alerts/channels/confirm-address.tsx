import type { AlertChannel } from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { readCode } from '@astropelago/contract/one-time-code'
import { useRef, useState } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { useConfirmAddress, useSendChannelCode } from './channels-query.ts'

interface ConfirmAddressProps {
  channel: AlertChannel
  onConfirmed: () => void
}

/** Takes the code sent to an address, for users who read their e-mail on another device. */
export function ConfirmAddress({ channel, onConfirmed }: ConfirmAddressProps) {
  const { id, target, state } = channel
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const showToast = useToast()
  const confirming = useConfirmAddress(() => {
    showToast({ title: `${target} is confirmed` })
    onConfirmed()
  })
  const sending = useSendChannelCode(id, () => showToast({ title: 'Check your mail' }))
  const refuse = (text: string | undefined) => {
    setProblem(text)
    input.current?.focus()
  }
  const submit = () => {
    const code = readCode(typed)
    if (code === undefined) {
      refuse('A code has five groups of five letters and digits.')
      return
    }
    setProblem(undefined)
    confirming.mutate(code, { onError: (error) => refuse(failureText(error)) })
  }
  return (
    <form
      noValidate
      aria-label={`Confirm ${target}`}
      className="flex min-w-0 flex-col gap-4 rounded-control bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!confirming.isPending) submit()
      }}
    >
      <TextField
        label="Code from the mail"
        hint={`Or open the link in the mail. Both work for ${channelCodeHours} hours.`}
        error={problem}
        ref={input}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={setTyped}
      />
      <FormError>{failureText(sending.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={confirming.isPending}>
          {confirming.isPending ? 'Confirming…' : 'Confirm'}
        </Button>
        <Button
          variant="outline"
          size="sm"
          busy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {state === 'ended' ? 'Send a code' : 'Send another code'}
        </Button>
      </div>
    </form>
  )
}
