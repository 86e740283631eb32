import { type OwnIsland, renameSlug } from '@astropelago/contract/islands'
import { oldSlugDays } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { paths } from '../../../paths.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { SlugField } from '../details/slug-field.tsx'
import { PictureField } from '../picture/picture-field.tsx'
import { useFollowSlug } from './settings-navigation.tsx'

export function PicturePart({ island }: { island: OwnIsland }) {
  return (
    <>
      <PictureCard island={island} />
      <AddressCard key={island.slug} island={island} />
    </>
  )
}

function PictureCard({ island }: { island: OwnIsland }) {
  const { id, picture } = island
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const form = useApiForm({
    values: { picture },
    read: (body) => ({ body }),
    send: (body) => update(id, body),
    onSent: () => showToast({ title: t`Picture saved` }),
  })
  const { picture: chosen } = form.values
  return (
    <Card
      title={t`Picture`}
      description={t`People see it on the page of your island, on its card, and wherever they paste its address. It stays the same when you change the address.`}
    >
      <form {...form.wiring} aria-label={t`Picture`} className="flex min-w-0 flex-col gap-6">
        <PictureField
          island={island}
          value={chosen}
          onChange={(next) => form.change({ picture: next })}
        />
        <FormActions
          form={form}
          size="sm"
          submit={t`Save picture`}
          busy={t`Saving…`}
          disabled={chosen === picture}
        />
      </form>
    </Card>
  )
}

function AddressCard({ island }: { island: OwnIsland }) {
  const { id, slug, oldSlugs } = island
  const { renameSlug: rename } = useOwnIslandChanges()
  const followSlug = useFollowSlug()
  const showToast = useToast()
  const form = useApiForm({
    values: { slug },
    read: (typed) => readBy(renameSlug.body, typed),
    send: (body) => rename(id, body.slug),
    onSent: (renamed) => {
      showToast({ title: t`Address changed` })
      followSlug(renamed)
    },
    fieldOf: { slug_taken: 'slug' },
  })
  const { slug: typed } = form.values
  const address = `${window.location.origin}${paths.island(slug)}`

  return (
    <Card
      title={t`Its address`}
      description={t`Where people find the page of your island. The picture stays the same when you change the address.`}
    >
      <div className="flex min-w-0 items-center justify-between gap-4 rounded-control bg-raised p-3 ps-4">
        <span className="min-w-0 font-mono text-xs wrap-anywhere">{address}</span>
        <CopyButton text={address} label={t`the address`} variant="ghost" />
      </div>
      <form {...form.wiring} aria-label={t`Another address`} className="flex flex-col gap-4">
        <SlugField
          value={typed}
          current={slug}
          error={form.problemOf('slug')}
          onChange={(next) => form.change({ slug: next })}
        >
          <Trans>
            The old address leads to the new one for{' '}
            <Plural value={oldSlugDays} one="# day" other="# days" />. Nobody else can get it.
          </Trans>
        </SlugField>
        <FormActions
          form={form}
          size="sm"
          submit={t`Change address`}
          busy={t`Changing…`}
          disabled={typed === slug}
        />
      </form>
      {oldSlugs.length > 0 && (
        <section aria-label={t`Old addresses`} className="flex flex-col gap-2 text-sm">
          <h3 className="font-medium">
            <Trans>Old addresses</Trans>
          </h3>
          <ul className="flex flex-col gap-1 text-muted">
            {oldSlugs.map(({ slug: old, until }) => {
              const path = paths.island(old)
              return (
                <li key={old} className="wrap-anywhere">
                  <Trans>
                    <span className="font-mono text-xs">{path}</span> leads here until{' '}
                    <LocalTime at={until} form="day" />
                  </Trans>
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </Card>
  )
}
