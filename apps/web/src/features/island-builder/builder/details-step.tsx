import type { OwnIsland } from '@astropelago/contract/islands'
import { useCallback, useState } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
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
  readIsland,
  readNewIsland,
} from '../details/island-draft.ts'
import { PlaceOrKnown } from '../details/known-place.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { wishedSlug } from '../details/slug-text.ts'
import { type IslandForm, useIslandForm } from '../details/use-island-form.ts'
import { publishDraft } from '../access/publish-draft.ts'
import { useKnownBefore, type KnownBefore } from './builder-steps.ts'
import { islandDraft } from './kept-drafts.ts'
import { WithPreview } from './with-preview.tsx'

/** The details of a new island. Submitting creates the draft on the server. */
export function NewDetails({ onCreated }: { onCreated: (island: OwnIsland) => void }) {
  const { create } = useOwnIslandChanges()
  const [kept] = useState(() => islandDraft('new'))
  const known = useKnownBefore()
  const { wiring, saving, ...form } = useIslandForm({
    initial: withKnown(kept.read() ?? emptyDraft, known),
    onDraft: useCallback((draft: IslandDraft) => keep(kept, draft), [kept]),
    read: readNewIsland,
    save: async (details) => {
      const island = await create(details)
      const { access, isListed } = island
      publishDraft(island.id).write({
        access,
        isListed,
        slug: details.slug ?? wishedSlug(island.slug),
      })
      return island
    },
    onSaved: (island) => {
      kept.clear()
      onCreated(island)
    },
  })
  return (
    <DetailsForm form={form} wiring={wiring} carrier={known.device}>
      <FormError>{failureText(saving.error)}</FormError>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button type="submit" busy={saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save and continue'}
        </Button>
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
  const [kept] = useState(() => islandDraft(island.id))
  const [publishing] = useState(() => publishDraft(island.id))
  const initial = draftOf(island)
  const { wiring, saving, ...form } = useIslandForm({
    initial: kept.read() ?? { ...initial, slug: publishing.read()?.slug ?? initial.slug },
    onDraft: useCallback((draft: IslandDraft) => keep(kept, draft), [kept]),
    read: readIsland,
    save: (changes) => update(island.id, changes),
    onSaved: ({ access, isListed }) => {
      publishing.write({ access, isListed, ...publishing.read(), slug: draftSlug(form.draft) })
      kept.clear()
      onSaved()
    },
  })
  return (
    <DetailsForm form={form} wiring={wiring} island={island}>
      <FormError>{failureText(saving.error)}</FormError>
      <div>
        <Button type="submit" busy={saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save and continue'}
        </Button>
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

/** Stores the draft, unless it is empty. */
function keep(kept: ReturnType<typeof islandDraft>, draft: IslandDraft): void {
  if (JSON.stringify(draft) === JSON.stringify(emptyDraft)) kept.clear()
  else kept.write(draft)
}

interface DetailsFormProps {
  form: IslandForm
  wiring: React.ComponentProps<'form'>
  island?: OwnIsland
  /** The id of the device that is known to carry it. */
  carrier?: string | undefined
  /** The submit button. */
  children: React.ReactNode
}

function DetailsForm({ form, wiring, island, carrier, children }: DetailsFormProps) {
  const { draft, errors, change } = form
  return (
    <WithPreview draft={draft} island={island}>
      <form {...wiring} aria-label="Details" className="flex min-w-0 flex-col gap-6">
        <Card>
          <AboutFields form={form} />
          <SlugField
            value={draftSlug(draft)}
            error={errors['slug']}
            onChange={(slug) => change({ slug })}
          >
            The page of your island will be here after you publish it.
          </SlugField>
        </Card>
        <Card>
          <PlaceOrKnown form={form} carrier={carrier} />
        </Card>
        {children}
      </form>
    </WithPreview>
  )
}
