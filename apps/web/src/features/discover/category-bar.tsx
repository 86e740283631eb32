import { Link } from 'react-router'
import { type DiscoverCategory, paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { categories } from './categories.ts'
import { CategoryHeading } from './category-heading.tsx'
import { categoriesId } from './categories-id.ts'

/** The categories as a bar, shown while one of them is open. */
export function CategoryBar({ openId }: { openId: DiscoverCategory }) {
  return (
    <nav aria-labelledby={categoriesId} className="flex flex-col gap-2">
      <CategoryHeading className="text-sm text-muted not-focus:sr-only" />
      {/* The lines are the gaps between the cells, so they never double up. */}
      <ul className="grid grid-cols-3 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-6">
        {categories.map(({ id, name, icon: Icon }) => {
          const isOpen = id === openId
          return (
            <li key={id} className="flex">
              <Link
                to={paths.discoverCategory(id)}
                aria-current={isOpen ? 'page' : undefined}
                className={classNames(
                  'flex min-w-0 flex-1 flex-col items-center justify-center gap-1 px-1 py-2 text-sm sm:flex-row sm:gap-2 sm:py-3 no-underline -outline-offset-2 transition-colors hover:bg-raised hover:text-ink',
                  isOpen
                    ? 'bg-raised font-medium text-ink shadow-[inset_0_-2px] shadow-accent'
                    : 'bg-panel text-muted',
                )}
              >
                <Icon
                  aria-hidden
                  strokeWidth={1.75}
                  className={classNames('size-5', isOpen && 'text-accent')}
                />
                {name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
