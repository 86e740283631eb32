import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { publishDraft } from '../access/access-form.tsx'
import { AboutFields } from '../details/about-fields.tsx'
import {
  draftOf,
  draftSlug,
  emptyDraft,
  IslandDraft,
  type IslandForm,
  readIsland,
  readNewIsland,
  remarkOn,
} from '../details/island-draft.ts'
import { PlaceFields } from '../details/place-fields.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { wishedSlug } from '../details/slug-text.ts'
import { WithPreview } from './with-preview.tsx'

function islandDraft(which: 'new' | (string & {})) {
  return keptDraft(`island.${which}.v1`, IslandDraft)
}

/** The details of a new island. Submitting creates the draft on the server. */
export function NewDetails({ onCreated }: { onCreated: (island: OwnIsland) => void }) {
  const { create } = useOwnIslandChanges()
  const known = useKnown()
  const stored = islandDraft('new')
  const form = useApiForm({
    values: withKnown(emptyDraft, known),
    draft: {
      ...stored,
      read: () => {
        const draft = stored.read()
        return draft && withKnown(draft, known)
      },
    },
    read: readNewIsland,
    send: async (details) => {
      const island = await create(details)
      const { access, isListed, isShared } = island
      publishDraft(island.id).write({
        access,
        isListed,
        isShared,
        slug: details.slug ?? wishedSlug(island.slug),
      })
      return island
    },
    onSent: onCreated,
    remarkOn,
  })
  return (
    <DetailsForm form={form} carrier={known.device}>
      <p className="self-center text-sm text-muted">
        <Trans>Nobody else sees it until you publish it.</Trans>
      </p>
    </DetailsForm>
  )
}

/** The same for an existing draft. */
export function ChangeDetails({ island, onSaved }: { island: OwnIsland; onSaved: () => void }) {
  const { update } = useOwnIslandChanges()
  const [publishing] = useState(() => publishDraft(island.id))
  const initial = draftOf(island)
  const form = useApiForm({
    values: { ...initial, slug: publishing.read()?.slug ?? initial.slug },
    draft: islandDraft(island.id),
    read: readIsland,
    send: (changes) => update(island.id, changes),
    onSent: ({ access, isListed, isShared }) => {
      publishing.write({
        access,
        isListed,
        isShared,
        ...publishing.read(),
        slug: draftSlug(form.values),
      })
      onSaved()
    },
    remarkOn,
  })
  return <DetailsForm form={form} island={island} />
}

/** What the address says about a new island, depending on where the user came from. */
function useKnown() {
  const [parameters] = useSearchParams()
  return {
    /** The id of the device that will carry it. */
    device: parameters.get('device') ?? undefined,
    way: ways.find((way) => way === parameters.get('what')),
    name: parameters.get('name') ?? undefined,
  }
}

const ways = ['relay', 'link'] as const

/** What the address says wins over what was chosen in an earlier visit. */
function withKnown(
  draft: IslandDraft,
  { device, way, name }: ReturnType<typeof useKnown>,
): IslandDraft {
  return {
    ...draft,
    ...(way !== undefined && { way }),
    ...(device !== undefined && { way: 'relay', carrier: device }),
    ...(name !== undefined && draft.name.trim() === '' && { name }),
  }
}

interface DetailsFormProps {
  form: IslandForm
  island?: OwnIsland
  /** The id of the device that is known to carry it. */
  carrier?: string | undefined
  /** Beside the submit button. */
  children?: ReactNode
}

function DetailsForm({ form, island, carrier, children }: DetailsFormProps) {
  const { values, problemOf, change } = form
  return (
    <WithPreview draft={values} island={island}>
      <form {...form.wiring} aria-label={t`Details`} className="flex min-w-0 flex-col gap-6">
        <Card>
          <AboutFields form={form} />
          <SlugField
            value={draftSlug(values)}
            error={problemOf('slug')}
            onChange={(slug) => change({ slug })}
          >
            <Trans>The page of your island will be here after you publish it.</Trans>
          </SlugField>
        </Card>
        <Card>
          <PlaceOrKnown form={form} carrier={carrier} />
        </Card>
        <FormActions form={form} submit={t`Save and continue`} busy={t`Saving…`}>
          {children}
        </FormActions>
      </form>
    </WithPreview>
  )
}

/**
 * Where a new island is. If a device is known to carry it, the form asks only after the user wants to
 * change that.
 */
function PlaceOrKnown({ form, carrier }: { form: IslandForm; carrier: string | undefined }) {
  const { values: draft, problemOf } = form
  const [isChanging, setIsChanging] = useState(false)
  const { data: relay } = useQuery(relayQuery)
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: carrier !== undefined })
  const device = devices?.find(({ id }) => id === carrier)
  const isRefused = problemOf('carrier') !== undefined || problemOf('isRelayed') !== undefined
  const isKnown =
    device !== undefined && draft.way === 'relay' && draft.carrier === carrier && relay?.addresses
  if (!isKnown || isChanging || isRefused) {
    return <PlaceFields form={form} slug={draftSlug(draft)} isPlanned />
  }
  const { label } = device
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-sm wrap-anywhere">
        <Trans>
          It runs on <bdi className="font-medium">{label}</bdi>. The relay leads visitors there.
        </Trans>
      </p>
      <Button variant="ghost" size="sm" onClick={() => setIsChanging(true)}>
        <Trans>Choose another place</Trans>
      </Button>
    </div>
  )
}
