import type { Author } from '@astropelago/contract/rooms'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { type RoomsOf, useModerate } from './rooms-queries.ts'

export type Silenced = NonNullable<Author>

/** In minutes; empty until it is taken back. */
const lengths = [
  { value: '10', name: t`10 minutes` },
  { value: '60', name: t`1 hour` },
  { value: '1440', name: t`1 day` },
  { value: '', name: t`For good` },
]

interface Wanted {
  readonly kind: 'mute' | 'block'
  readonly minutes: string
  readonly erases: boolean
}

const usual: Wanted = { kind: 'mute', minutes: '60', erases: false }

interface SilenceDialogProps {
  of: RoomsOf
  room: string
  author: Silenced
  onClose: () => void
}

export function SilenceDialog({ of, room, author, onClose }: SilenceDialogProps) {
  const { id: visitor, name } = author
  const moderate = useModerate(of, room)
  const showToast = useToast()
  const form = useApiForm({
    values: usual,
    read: (wanted) => ({ body: wanted }),
    send: async ({ kind, minutes, erases }) => {
      await moderate({ kind, visitor, ...(minutes !== '' && { minutes: Number(minutes) }) })
      if (erases) await moderate({ kind: 'erase', visitor })
      return kind
    },
    onSent: (kind) => {
      showToast({ title: kind === 'mute' ? t`${name} is muted` : t`${name} is blocked` })
      onClose()
    },
  })
  const { kind, minutes, erases } = form.values
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Mute or block`}
      description={<bdi className="font-medium wrap-anywhere text-ink">{name}</bdi>}
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <RadioCards
          legend={t`What happens?`}
          columns="gap-3"
          options={[
            {
              value: 'mute',
              name: t`Mute`,
              about: t`They can read, but not write, in all rooms of this island.`,
            },
            {
              value: 'block',
              name: t`Block`,
              about: t`They are kept out of all rooms of this island.`,
            },
          ]}
          value={kind}
          onChange={(value) => form.change({ kind: value })}
        />
        <SelectField
          label={t`For how long`}
          options={lengths}
          value={minutes}
          onChange={(value) => form.change({ minutes: value })}
        />
        <Checkbox
          label={t`Delete all their messages in this room too`}
          hint={<Trans>For everybody. This can’t be undone.</Trans>}
          checked={erases}
          onChange={({ target }) => form.change({ erases: target.checked })}
        />
        <FormActions
          form={form}
          submit={kind === 'mute' ? t`Mute` : t`Block`}
          variant="destructive"
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
