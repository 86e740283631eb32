import {
  type AlertChannel,
  confirmChannel,
  sendChannelCode,
} from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { readCode } from '@astropelago/contract/one-time-code'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { channelsQuery } from './channels-query.ts'

/** Takes the code sent to an address, for users who read their e-mail on another device. */
export function ConfirmAddress(props: { channel: AlertChannel; onConfirmed: () => void }) {
  const { channel, onConfirmed } = props
  const { id, target, state } = channel
  const client = useQueryClient()
  const showToast = useToast()
  const sending = useMutation({
    mutationFn: () => call(sendChannelCode, { params: { id } }),
    onSuccess: () => showToast({ title: 'Check your mail' }),
  })
  const form = useApiForm({
    values: { code: '' },
    read: ({ code }) =>
      readBy(
        confirmChannel.body,
        { code: readCode(code) },
        {
          code:
            readCode(code) === undefined && 'A code has five groups of five letters and digits.',
        },
      ),
    send: (body) => call(confirmChannel, { body }),
    onSent: async () => {
      showToast({ title: `${target} is confirmed` })
      onConfirmed()
      // The response doesn't say which channel the code belongs to.
      await client.invalidateQueries(channelsQuery)
    },
    onlyField: 'code',
  })
  return (
    <form
      {...form.wiring}
      aria-label={`Confirm ${target}`}
      className="flex min-w-0 flex-col gap-4 rounded-control bg-raised p-4"
    >
      <TextField
        label="Code from the mail"
        hint={`Or open the link in the mail. Both work for ${channelCodeHours} hours.`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.text('code')}
      />
      <FormActions
        form={{ failure: failureText(sending.error), isBusy: form.isBusy }}
        size="sm"
        submit="Confirm"
        busy="Confirming…"
      >
        <Button
          variant="outline"
          size="sm"
          busy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {state === 'ended' ? 'Send a code' : 'Send another code'}
        </Button>
      </FormActions>
    </form>
  )
}
