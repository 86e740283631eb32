import type { OwnIsland } from '@astropelago/contract/islands'
import { oldSlugDays } from '@astropelago/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
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
  const { renameSlug } = useOwnIslandChanges()
  const [typed, setTyped] = useState(slug)
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const renaming = useMutation({
    mutationFn: () => renameSlug(id, typed),
    onSuccess: onRenamed,
    onError: (failure) => {
      const isTaken = failure instanceof ApiError && failure.code === 'slug_taken'
      setError(isTaken ? failure.sentence : fieldErrors(failure)['slug'])
    },
  })
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector('input')?.focus()
  }, [error])
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
      <form
        ref={form}
        noValidate
        aria-label="Another address"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!renaming.isPending && typed !== slug) renaming.mutate()
        }}
      >
        <SlugField
          value={typed}
          current={slug}
          error={error}
          onChange={(text) => {
            setTyped(text)
            setError(undefined)
            renaming.reset()
          }}
        >
          The old address leads to the new one for {oldSlugDays} days. Nobody else can get it.
        </SlugField>
        <FormError>
          {renaming.isError && error === undefined ? failureText(renaming.error) : undefined}
        </FormError>
        <div>
          <Button type="submit" size="sm" disabled={typed === slug} busy={renaming.isPending}>
            {renaming.isPending ? 'Changing…' : 'Change address'}
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
