import { type OwnIsland, renameSlug } from '@astropelago/contract/islands'
import { oldSlugDays } from '@astropelago/contract/limits'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { SlugField } from '../details/slug-field.tsx'

const headingId = 'address-heading'

interface AddressCardProps {
  island: OwnIsland
  onRenamed: (island: OwnIsland) => void
}

/** The address of an island's page, and its old addresses. */
export function AddressCard({ island, onRenamed }: AddressCardProps) {
  const { id, slug, oldSlugs } = island
  const { renameSlug: rename } = useOwnIslandChanges()
  const form = useApiForm({
    values: { slug },
    read: (typed) => readBy(renameSlug.body, typed),
    send: (body) => rename(id, body.slug),
    onSent: onRenamed,
    fieldOf: { slug_taken: 'slug' },
  })
  const { slug: typed } = form.values
  const address = `${window.location.origin}${paths.island(slug)}`

  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Its address"
        description="Where people find the page of your island. The picture stays the same when you change the address."
      />
      <div className="flex min-w-0 items-center justify-between gap-4 rounded-control bg-raised p-3 pl-4">
        <span className="min-w-0 font-mono text-xs wrap-anywhere">{address}</span>
        <CopyButton text={address} label="the address" variant="ghost" />
      </div>
      <form {...form.wiring} aria-label="Another address" className="flex flex-col gap-4">
        <SlugField
          value={typed}
          current={slug}
          error={form.problemOf('slug')}
          onChange={(next) => form.change({ slug: next })}
        >
          The old address leads to the new one for {oldSlugDays} days. Nobody else can get it.
        </SlugField>
        <FormError>{form.failure}</FormError>
        <div>
          <Button type="submit" size="sm" disabled={typed === slug} busy={form.isBusy}>
            {form.isBusy ? 'Changing…' : 'Change address'}
          </Button>
        </div>
      </form>
      {oldSlugs.length > 0 && (
        <section aria-label="Old addresses" className="flex flex-col gap-2 text-sm">
          <h3 className="font-medium">Old addresses</h3>
          <ul className="flex flex-col gap-1 text-muted">
            {oldSlugs.map((old) => (
              <li key={old.slug} className="wrap-anywhere">
                <span className="font-mono text-xs">{paths.island(old.slug)}</span> leads here until{' '}
                <LocalTime at={old.until} form="day" />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}
