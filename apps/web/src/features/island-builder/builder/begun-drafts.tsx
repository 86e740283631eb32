import type { OwnIsland } from '@astropelago/contract/islands'
import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import { paths } from '../../../paths.ts'

/** Unpublished drafts, to continue. */
export function BegunDrafts({ drafts }: { drafts: readonly OwnIsland[] }) {
  if (drafts.length === 0) return null
  return (
    <section
      aria-label="Drafts"
      className="flex min-w-0 flex-col gap-1 rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm"
    >
      <h2 className="font-medium">Drafts you started</h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {drafts.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link
              to={paths.newIsland(id, 'publish')}
              className="inline-flex min-w-0 items-center gap-1.5 text-accent underline underline-offset-4 wrap-anywhere"
            >
              <bdi className="min-w-0">{name}</bdi>
              <ArrowRight aria-hidden className="size-3.5 shrink-0" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
