import type { OwnIsland } from '@astropelago/contract/islands'
import { neighboursPerIsland } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import ArrowDown from 'virtual:icon/arrow-down'
import ArrowUp from 'virtual:icon/arrow-up'
import Waypoints from 'virtual:icon/waypoints'
import X from 'virtual:icon/x'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import type { Reading } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { slugIn } from '../details/slug-text.ts'

/** The island's routes to other islands on the star chart. Each press is saved at once. */
export function NeighboursCard({ island }: { island: OwnIsland }) {
  const { id, slug: ownSlug } = island
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const saving = useMutation({
    mutationFn: (neighbours: readonly string[]) => update(id, { neighbours: [...neighbours] }),
    scope: { id: `neighbours-${id}` },
  })
  const shown = saving.isPending ? saving.variables : island.neighbours
  const move = (from: number, by: number) => {
    const moving = shown.slice(from, from + 1)
    saving.mutate(shown.toSpliced(from, 1).toSpliced(from + by, 0, ...moving))
  }

  const form = useApiForm({
    values: { neighbour: '' },
    read: ({ neighbour }) => readNeighbour(slugIn(neighbour), ownSlug, shown),
    send: async (slug) => {
      await saving.mutateAsync([...shown, slug])
      return slug
    },
    onSent: (slug) => showToast({ title: t`${slug} is a neighbour now` }),
    explain: (error) => fieldErrors(error)['neighbours'] ?? failureText(error),
    onlyField: 'neighbour',
  })

  return (
    <Card
      title={t`Neighbours`}
      description={t`Up to ${plural(neighboursPerIsland, { one: '# island', other: '# islands' })} that you recommend to your visitors. They appear on your page and as routes on the star chart. Visitors only see islands there that they may see anyway.`}
    >
      {shown.length === 0 ? (
        <EmptyState icon={<Waypoints aria-hidden />} title={t`No neighbour yet`}>
          <Trans>Add an island that your visitors may like too.</Trans>
        </EmptyState>
      ) : (
        <ol aria-label={t`Neighbours`} className="flex min-w-0 flex-col border-y border-line">
          {shown.map((slug, index) => (
            <li
              key={slug}
              className="flex min-w-0 items-center justify-between gap-4 border-b border-line py-2.5 last:border-0"
            >
              <Link
                to={paths.island(slug)}
                className="min-w-0 text-sm font-medium wrap-anywhere text-ink underline decoration-transparent underline-offset-4 hover:decoration-current"
              >
                {slug}
              </Link>
              <span className="flex shrink-0 gap-1">
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t`Move ${slug} up`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <ArrowUp aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t`Move ${slug} down`}
                  disabled={index === shown.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDown aria-hidden />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t`Remove ${slug}`}
                  onClick={() => {
                    saving.mutate(shown.filter((other) => other !== slug))
                    form.wiring.ref.current?.querySelector('input')?.focus()
                  }}
                >
                  <X aria-hidden />
                </Button>
              </span>
            </li>
          ))}
        </ol>
      )}
      {form.problemOf('neighbour') === undefined && (
        <FormError>{failureText(saving.error)}</FormError>
      )}
      {shown.length >= neighboursPerIsland ? (
        <p className="text-sm text-muted">
          <Trans>An island can’t have more neighbours than this. Remove one to add another.</Trans>
        </p>
      ) : (
        <form
          {...form.wiring}
          aria-label={t`Another neighbour`}
          className="flex flex-col items-start gap-4 sm:flex-row"
        >
          <TextField
            className="w-full sm:max-w-96"
            label={t`Its address`}
            hint={t`Such as harbor-books, or the whole address from your browser.`}
            {...verbatimInput}
            {...form.text('neighbour')}
          />
          <Button type="submit" variant="outline" busy={saving.isPending} className="sm:mt-7">
            <Trans>Add</Trans>
          </Button>
        </form>
      )}
    </Card>
  )
}

function refuse(neighbour: string) {
  return { problems: { neighbour } }
}

function readNeighbour(
  slug: string | undefined,
  ownSlug: string,
  neighbours: readonly string[],
): Reading<string> {
  if (slug === undefined) return refuse(t`Enter the address of an island, such as harbor-books.`)
  if (slug === ownSlug) return refuse(t`That is this island.`)
  if (neighbours.includes(slug)) return refuse(t`That island is already a neighbour.`)
  return { body: slug }
}
