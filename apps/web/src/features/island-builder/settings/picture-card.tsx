import type { OwnIsland } from '@astropelago/contract/islands'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
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
  const [chosen, setChosen] = useState(picture)
  const saving = useMutation({
    mutationFn: () => update(id, { picture: chosen }),
    onSuccess: () => showToast({ title: 'Picture saved' }),
  })
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Picture"
        description="People see it on the page of your island, on its card, and wherever they paste its address. It stays the same when you change the address."
      />
      <form
        noValidate
        aria-labelledby={headingId}
        className="flex min-w-0 flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          if (!saving.isPending && chosen !== picture) saving.mutate()
        }}
      >
        <PictureField
          island={island}
          value={chosen}
          onChange={(next) => {
            setChosen(next)
            saving.reset()
          }}
        />
        <FormError>{failureText(saving.error)}</FormError>
        <div>
          <Button type="submit" size="sm" disabled={chosen === picture} busy={saving.isPending}>
            {saving.isPending ? 'Saving…' : 'Save picture'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
