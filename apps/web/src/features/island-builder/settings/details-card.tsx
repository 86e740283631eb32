import type { IslandChanges, OwnIsland } from '@astropelago/contract/islands'
import type { ReactNode } from 'react'
import type { Reading } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { AboutFields } from '../details/about-fields.tsx'
import {
  draftOf,
  type IslandDraft,
  type IslandForm,
  readAbout,
  readPlace,
  remarkOn,
} from '../details/island-draft.ts'
import { PlaceFields } from '../details/place-fields.tsx'

/** The island's description. */
export function AboutCard({ island }: { island: OwnIsland }) {
  return (
    <ChangesCard
      island={island}
      id="details-heading"
      title="Details"
      description="What visitors read on its page and on its card."
      read={readAbout}
    >
      {(form) => <AboutFields form={form} />}
    </ChangesCard>
  )
}

/** Where the island runs. */
export function PlaceCard({ island }: { island: OwnIsland }) {
  return (
    <ChangesCard
      island={island}
      id="entrance-heading"
      title="Entrance"
      description="Where the Enter button leads, and which device shows whether your island is open."
      read={readPlace}
    >
      {(form) => <PlaceFields form={form} slug={island.slug} isPlanned={false} />}
    </ChangesCard>
  )
}

interface ChangesCardProps {
  island: OwnIsland
  id: string
  title: string
  description: string
  read: (draft: IslandDraft) => Reading<IslandChanges>
  children: (form: IslandForm) => ReactNode
}

function ChangesCard({ island, id, title, description, read, children }: ChangesCardProps) {
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const form = useApiForm({
    values: draftOf(island),
    read,
    send: (changes) => update(island.id, changes),
    onSent: () => showToast({ title: `${title} saved` }),
    remarkOn,
  })
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} description={description} />
      <form {...form.wiring} aria-labelledby={id} className="flex min-w-0 flex-col gap-6">
        {children(form)}
        <FormError>{form.failure}</FormError>
        <div>
          <Button type="submit" size="sm" busy={form.isBusy}>
            {form.isBusy ? 'Saving…' : 'Save changes'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
