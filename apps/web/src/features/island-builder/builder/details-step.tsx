import type { OwnIsland } from '@astropelago/contract/islands'
import { type ReactNode, useState } from 'react'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { AboutFields } from '../details/about-fields.tsx'
import {
  draftOf,
  draftSlug,
  emptyDraft,
  type IslandDraft,
  type IslandForm,
  readIsland,
  readNewIsland,
  remarkOn,
} from '../details/island-draft.ts'
import { PlaceOrKnown } from '../details/known-place.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { wishedSlug } from '../details/slug-text.ts'
import { publishDraft } from '../access/publish-draft.ts'
import { useKnownBefore, type KnownBefore } from './builder-steps.ts'
import { islandDraft } from './kept-drafts.ts'
import { WithPreview } from './with-preview.tsx'

/** The details of a new island. Submitting creates the draft on the server. */
export function NewDetails({ onCreated }: { onCreated: (island: OwnIsland) => void }) {
  const { create } = useOwnIslandChanges()
  const known = useKnownBefore()
  const kept = islandDraft('new')
  const form = useApiForm({
    values: withKnown(emptyDraft, known),
    draft: {
      ...kept,
      read: () => {
        const draft = kept.read()
        return draft && withKnown(draft, known)
      },
    },
    read: readNewIsland,
    send: async (details) => {
      const island = await create(details)
      const { access, isListed } = island
      publishDraft(island.id).write({
        access,
        isListed,
        slug: details.slug ?? wishedSlug(island.slug),
      })
      return island
    },
    onSent: onCreated,
    remarkOn,
  })
  return (
    <DetailsForm form={form} carrier={known.device}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <SaveButton isBusy={form.isBusy} />
        <p className="text-sm text-muted">Nobody else sees it until you publish it.</p>
      </div>
    </DetailsForm>
  )
}

interface ChangeDetailsProps {
  island: OwnIsland
  onSaved: () => void
}

/** The same for an existing draft. */
export function ChangeDetails({ island, onSaved }: ChangeDetailsProps) {
  const { update } = useOwnIslandChanges()
  const [publishing] = useState(() => publishDraft(island.id))
  const initial = draftOf(island)
  const form = useApiForm({
    values: { ...initial, slug: publishing.read()?.slug ?? initial.slug },
    draft: islandDraft(island.id),
    read: readIsland,
    send: (changes) => update(island.id, changes),
    onSent: ({ access, isListed }) => {
      publishing.write({ access, isListed, ...publishing.read(), slug: draftSlug(form.values) })
      onSaved()
    },
    remarkOn,
  })
  return (
    <DetailsForm form={form} island={island}>
      <div>
        <SaveButton isBusy={form.isBusy} />
      </div>
    </DetailsForm>
  )
}

/** A device from the address wins over the chosen one, because the form doesn't ask for it. */
function withKnown(draft: IslandDraft, { device, name }: KnownBefore): IslandDraft {
  return {
    ...draft,
    ...(device !== undefined && { way: 'relay', carrier: device }),
    ...(name !== undefined && draft.name.trim() === '' && { name }),
  }
}

interface DetailsFormProps {
  form: IslandForm
  island?: OwnIsland
  /** The id of the device that is known to carry it. */
  carrier?: string | undefined
  /** The submit button. */
  children: ReactNode
}

function DetailsForm({ form, island, carrier, children }: DetailsFormProps) {
  const { values, problemOf, change } = form
  return (
    <WithPreview draft={values} island={island}>
      <form {...form.wiring} aria-label="Details" className="flex min-w-0 flex-col gap-6">
        <Card>
          <AboutFields form={form} />
          <SlugField
            value={draftSlug(values)}
            error={problemOf('slug')}
            onChange={(slug) => change({ slug })}
          >
            The page of your island will be here after you publish it.
          </SlugField>
        </Card>
        <Card>
          <PlaceOrKnown form={form} carrier={carrier} />
        </Card>
        <FormError>{form.failure}</FormError>
        {children}
      </form>
    </WithPreview>
  )
}

function SaveButton({ isBusy }: { isBusy: boolean }) {
  return (
    <Button type="submit" busy={isBusy}>
      {isBusy ? 'Saving…' : 'Save and continue'}
    </Button>
  )
}
