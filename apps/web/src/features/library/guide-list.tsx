import { type GuideEntry, listGuides, readGuide } from '@astropelago/contract/guides'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { shelves } from 'virtual:guides'
import ChevronRight from 'virtual:icon/chevron-right'
import { FirstIslandLink } from '../../islands/first-island-link.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { searchText } from '../../lib/search-text.ts'
import { paths } from '../../paths.ts'
import { ErrorLine } from '../../ui/error-line.tsx'

type Shelf = (typeof shelves)[number]

/** The guides by category. The operator's come last, so that nothing moves when they load. */
export function GuideList({ asked = '' }: { asked?: string }) {
  const { data = [], isLoadingError: isError, isFetching, refetch } = useQuery(operatorGuidesQuery)
  const words = searchText(asked).split(/\s+/).filter(Boolean)
  const found = [...shelves, { title: t`From the operator of this site`, guides: data }]
    .map(({ title, guides }) => ({ title, guides: guides.filter((guide) => hasAll(guide, words)) }))
    .filter(({ guides }) => guides.length > 0)
  return (
    <div className="flex flex-col gap-10">
      {found.map((shelf) => (
        <ShelfOfGuides key={shelf.title} shelf={shelf} />
      ))}
      {words.length > 0 && (
        <output className={found.length === 0 ? 'text-muted' : 'sr-only'}>
          {foundText(found.flatMap(({ guides }) => guides).length)}
        </output>
      )}
      {found.length === 0 && (
        <p className="-mt-6">
          <FirstIslandLink />
        </p>
      )}
      {isError && (
        <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
          <Trans>The operator’s own guides could not be loaded.</Trans>
        </ErrorLine>
      )}
    </div>
  )
}

function hasAll({ title, summary }: GuideEntry, words: readonly string[]): boolean {
  const text = searchText(`${title} ${summary}`)
  return words.every((word) => text.includes(word))
}

function foundText(count: number): string {
  if (count === 0) return t`No guide has these words in its title or summary.`
  return plural(count, { one: '# guide found', other: '# guides found' })
}

function ShelfOfGuides({ shelf: { title, guides } }: { shelf: Shelf }) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      className="grid gap-x-10 gap-y-4 lg:grid-cols-[12rem_minmax(0,1fr)]"
    >
      <h3 id={titleId} className="text-base font-semibold lg:pt-5">
        {title}
      </h3>
      {/* The lines are the gaps between the cells, so they never double up. */}
      <ul className="flex flex-col gap-px overflow-hidden rounded-card border border-line bg-line">
        {guides.map((guide) => (
          <GuideItem key={guide.name} guide={guide} />
        ))}
      </ul>
    </section>
  )
}

function GuideItem({ guide: { name, title, summary } }: { guide: GuideEntry }) {
  const summaryId = useId()
  return (
    <li className="group relative flex items-center gap-4 bg-panel p-5 transition-colors hover:bg-raised">
      <div className="flex min-w-0 flex-1 flex-col gap-1 wrap-anywhere">
        <Link
          to={paths.guide(name)}
          aria-describedby={summary === '' ? undefined : summaryId}
          className="font-medium text-ink no-underline outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {title}
        </Link>
        {summary !== '' && (
          <p id={summaryId} className="text-sm text-muted">
            {summary}
          </p>
        )}
      </div>
      <ChevronRight
        aria-hidden
        className="size-5 shrink-0 text-muted transition-colors group-hover:text-ink"
      />
    </li>
  )
}

/** A page that is opened again within this time sends no request. */
const freshMs = 60_000

const operatorGuidesQuery = queryOptions({
  queryKey: ['operator-guides'],
  queryFn: ({ signal }) => call(listGuides, { signal }),
  staleTime: freshMs,
})

/** One of the operator's guides; null if it doesn't exist. */
export function operatorGuideQuery(name: string) {
  return queryOptions({
    queryKey: ['operator-guides', name],
    queryFn: async ({ signal }) => {
      try {
        return await call(readGuide, { params: { name }, signal })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return null
        throw error
      }
    },
    staleTime: freshMs,
  })
}
