import type { AlertChannel } from '@astropelago/contract/alert-channels'
import { useToast } from '../../../ui/use-toast.ts'
import type { FormKind } from './channel-kinds.ts'
import { useUpdateChannel } from './channels-query.ts'
import { ServiceForm } from './service-form.tsx'

interface RedirectChannelProps {
  channel: AlertChannel
  kind: FormKind
  onClose: () => void
}

/**
 * Changes a channel's target. The server never returns the old values, so the form asks for all of them.
 */
export function RedirectChannel({ channel, kind, onClose }: RedirectChannelProps) {
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
