import { type AlertChannel, updateChannel } from '@astropelago/contract/alert-channels'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import type { FormKind } from './channel-kinds.ts'
import { useUpdateChannel } from './channels-query.ts'
import { ServiceForm } from './service-form.tsx'

/** Changes a channel's name in the list. */
export function RenameChannel(props: { channel: AlertChannel; onClose: () => void }) {
  const {
    channel: { id, name },
    onClose,
  } = props
  const form = useApiForm({
    values: { name },
    read: (typed) => readBy(updateChannel.body, typed),
    send: useUpdateChannel(id),
    onSent: onClose,
    onlyField: 'name',
    takesFocus: true,
  })
  return (
    <form {...form.wiring} aria-label={`Rename ${name}`} className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="off" {...form.text('name')} name="channel-name" />
      <FormActions
        form={form}
        size="sm"
        submit="Save name"
        busy="Saving…"
        cancelVariant="ghost"
        onCancel={onClose}
      />
    </form>
  )
}

/**
 * Changes a channel's target. The server never returns the old values, so the form asks for all of them.
 */
export function RedirectChannel(props: {
  channel: AlertChannel
  kind: FormKind
  onClose: () => void
}) {
  const { channel, kind, onClose } = props
  const { id, name } = channel
  const showToast = useToast()
  const update = useUpdateChannel(id)
  return (
    <ServiceForm
      kind={kind}
      label={`Where ${name} sends`}
      name={name}
      submit={{ label: 'Use this address', busy: 'Saving…' }}
      send={({ settings }) => update({ settings })}
      onSent={() => {
        showToast({ title: `${name} has a new address` })
        onClose()
      }}
      onClose={onClose}
    />
  )
}
