import { deployTemplate, type TemplateName } from '@astropelago/contract/hosted-pages'
import {
  AccessPolicy,
  NewIsland as NewIslandBody,
  type OwnIsland,
  publishIsland,
} from '@astropelago/contract/islands'
import { slugFromName } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { call } from '../../../lib/call.ts'
import { readBy, type Reading } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Card } from '../../../ui/card.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AccessFields, withPreset } from '../access/access-form.tsx'
import { isKnownToAll } from '../access/audiences.ts'
import { SlugField } from '../details/slug-field.tsx'
import { wishedSlug } from '../details/slug-text.ts'
import { ChoicePicture } from '../pages/choice-tile.tsx'
import { ChooseFiles } from '../pages/choose-files.tsx'
import type { ChosenFiles } from '../pages/chosen-files.ts'
import { pagesFailure } from '../pages/deploy-files.ts'
import { usePagesChanged } from '../pages/pages-query.ts'
import { type Choice, templates } from '../pages/template-words.ts'
import { DeployProgress, useDeploying } from '../pages/use-deploying.tsx'
import { ownFiles } from './choose-step.tsx'

const PagesDraft = v.object({
  name: v.string(),
  /** Null while it follows the name. */
  slug: v.nullable(v.string()),
  access: AccessPolicy,
  isListed: v.boolean(),
})
type PagesDraft = v.InferOutput<typeof PagesDraft>

/** Whoever has the address can enter at once. Explore is a choice of its own. */
const empty: PagesDraft = { name: '', slug: null, access: 'public', isListed: false }

interface PagesStepProps {
  /** Undefined if the draft has its pages already. */
  what: TemplateName | 'files' | undefined
  /** The draft, if it exists. */
  island: OwnIsland | undefined
  onMade: (island: OwnIsland) => void
  onDone: (island: OwnIsland) => void
}

/**
 * Makes an island with hosted pages and publishes it. What succeeded before a failure stays, and the next
 * try goes on from there.
 */
export function PagesStep({ what, island, onMade, onDone }: PagesStepProps) {
  const { isDemo } = useUser()
  const { create, update, publish } = useOwnIslandChanges()
  const [chosen, setChosen] = useState<ChosenFiles>()
  const deployed = useRef<TemplateName | ChosenFiles>(undefined)
  const deploying = useDeploying()
  const pagesChanged = usePagesChanged()
  const wanted = what === 'files' ? chosen : what
  const template = what === undefined || what === 'files' ? undefined : templates[what]

  const readForm = ({ name, slug, ...access }: PagesDraft): Reading<Wish> => {
    const wishedName = slug ?? slugFromName(name)
    const asked = isDemo ? {} : { slug: wishedName }
    const { kind = 'lab', tagline = '' } = template ?? {}
    const made = readBy(
      NewIslandBody,
      { name, kind, tagline, isHosted: true, ...asked },
      {
        name: name.trim() === '' && t`Give your island a name.`,
        slug: !isDemo && wishedName === '' && t`Give your island an address.`,
        files: what !== undefined && wanted === undefined && t`Choose your files first.`,
      },
    )
    if ('problems' in made) return made
    const publishing = readBy(publishIsland.body, {
      ...access,
      ...(isKnownToAll(access) && asked),
    })
    return 'problems' in publishing
      ? publishing
      : { body: { island: made.body, publishing: publishing.body } }
  }
  const makeOrChange = async ({ island: wish }: Wish): Promise<OwnIsland> => {
    if (island === undefined) {
      const made = await create(wish)
      onMade(made)
      return made
    }
    const { name } = wish
    if (name === island.name && island.isHosted) return island
    return await update(island.id, { name, isHosted: true })
  }
  const deploy = async (id: string) => {
    if (wanted === undefined || wanted === deployed.current) return
    if (typeof wanted === 'string') {
      await call(deployTemplate, { params: { id }, body: { template: wanted } })
    } else await deploying.deploy(id, wanted)
    deployed.current = wanted
  }
  const form = useApiForm({
    values:
      island === undefined ? empty : { ...empty, name: island.name, slug: wishedSlug(island.slug) },
    draft: keptDraft(`pages-island.${island?.id ?? 'new'}.v1`, PagesDraft),
    read: readForm,
    send: async (wish) => {
      const made = await makeOrChange(wish)
      await deploy(made.id)
      return isDemo ? made : await publish(made.id, wish.publishing)
    },
    onSent: async (done) => {
      await pagesChanged(done.id)
      onDone(done)
    },
    explain: pagesFailure,
    fieldOf: { slug_taken: 'slug', pages_in_review: 'isListed' },
  })
  const { name, slug, access, isListed } = form.values
  const choice = { access, isListed }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      {what !== undefined && <WhatItBecomes choice={template ?? ownFiles} island={island} />}
      <form {...form.wiring} aria-label={t`Your island`} className="flex min-w-0 flex-col gap-6">
        <Card>
          <TextField
            label={t`Name`}
            hint={isDemo ? undefined : t`The name that visitors see, such as Harbor Books.`}
            autoComplete="off"
            {...form.text('name')}
            onChange={(text) => form.change({ name: text, ...(slug === null && { slug: null }) })}
          />
          {!isDemo && isKnownToAll(choice) && (
            <SlugField
              value={slug ?? slugFromName(name)}
              error={form.problemOf('slug')}
              onChange={(next) => form.change({ slug: next })}
            />
          )}
          {what === 'files' && (
            <ChooseFiles
              chosen={chosen}
              error={form.problemOf('files')}
              isBusy={form.isBusy}
              onChoose={setChosen}
            />
          )}
        </Card>
        {!isDemo && (
          <Card>
            <AccessFields
              value={choice}
              onChange={(next) => form.change(withPreset(choice, next))}
            />
            <FormError>{form.problemOf('isListed')}</FormError>
          </Card>
        )}
        <DeployProgress progress={deploying.progress} onCancel={deploying.cancel} />
        <FormActions
          form={form}
          submit={isDemo ? t`Make the island` : t`Publish`}
          busy={isDemo ? t`Making…` : t`Publishing…`}
        >
          <p className="self-center text-sm text-muted">
            {isDemo
              ? t`Only you can open it. It is gone after 24 hours.`
              : t`You can change all of this later.`}
          </p>
        </FormActions>
      </form>
    </div>
  )
}

function WhatItBecomes({ choice, island }: { choice: Choice; island: OwnIsland | undefined }) {
  const { name, about, picture } = choice
  return (
    <div className="flex min-w-0 items-center gap-4 overflow-hidden rounded-card border border-line bg-panel/85 lg:sticky lg:top-24 lg:flex-col lg:items-stretch lg:gap-0">
      <ChoicePicture picture={picture} className="h-full w-32 lg:aspect-8/5 lg:h-auto lg:w-full" />
      <div className="flex min-w-0 flex-col items-start gap-1 py-2 pe-4 lg:p-5">
        <p className="font-display font-semibold text-ink">{name}</p>
        <p className="text-xs text-muted sm:text-sm">{about}</p>
        <LinkButton
          to={island === undefined ? paths.newIsland() : paths.newIsland(island.id, 'choose')}
          variant="link"
          size="sm"
          className="mt-1"
        >
          <Trans>Choose something else</Trans>
        </LinkButton>
      </div>
    </div>
  )
}

interface Wish {
  readonly island: NewIslandBody
  readonly publishing: v.InferOutput<typeof publishIsland.body>
}
