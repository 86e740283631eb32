import { type AlertChannel, updateChannel } from '@astropelago/contract/alert-channels'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useUpdateChannel } from './channels-query.ts'

interface RenameChannelProps {
  channel: AlertChannel
  onClose: () => void
}

/** Changes a channel's name in the list. */
export function RenameChannel({ channel: { id, name }, onClose }: RenameChannelProps) {
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
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save name'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
