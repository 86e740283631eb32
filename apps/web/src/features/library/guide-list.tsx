import { useId } from 'react'
import { Link } from 'react-router'
import { shelves } from 'virtual:guides'
import ChevronRight from 'virtual:icon/chevron-right'
import { paths } from '../../paths.ts'
import type { GuideEntry, Shelf } from './guide.ts'

/** Every guide, on its shelf. */
export function GuideList() {
  return (
    <div className="flex flex-col gap-10">
      {shelves.map((shelf) => (
        <ShelfOfGuides key={shelf.title} shelf={shelf} />
      ))}
    </div>
  )
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
      {/* Hairlines show through the gaps, so that they never double up. */}
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
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <Link
          to={paths.guide(name)}
          aria-describedby={summaryId}
          className="font-medium text-ink no-underline outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {title}
        </Link>
        <p id={summaryId} className="text-sm text-muted">
          {summary}
        </p>
      </div>
      <ChevronRight
        aria-hidden
        className="size-5 shrink-0 text-muted transition-colors group-hover:text-ink"
      />
    </li>
  )
}
