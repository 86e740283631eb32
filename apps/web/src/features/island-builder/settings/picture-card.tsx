import type { OwnIsland } from '@astropelago/contract/islands'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { PictureField } from '../picture/picture-field.tsx'

const headingId = 'picture-heading'

/** The island's picture. */
export function PictureCard({ island }: { island: OwnIsland }) {
  const { id, picture } = island
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const form = useApiForm({
    values: { picture },
    read: (body) => ({ body }),
    send: (body) => update(id, body),
    onSent: () => showToast({ title: 'Picture saved' }),
  })
  const { picture: chosen } = form.values
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Picture"
        description="People see it on the page of your island, on its card, and wherever they paste its address. It stays the same when you change the address."
      />
      <form {...form.wiring} aria-labelledby={headingId} className="flex min-w-0 flex-col gap-6">
        <PictureField
          island={island}
          value={chosen}
          onChange={(next) => form.change({ picture: next })}
        />
        <FormError>{form.failure}</FormError>
        <div>
          <Button type="submit" size="sm" disabled={chosen === picture} busy={form.isBusy}>
            {form.isBusy ? 'Saving…' : 'Save picture'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
