import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type DiscoverCategory, paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { categories, type Category } from './categories.ts'
import { CategoryHeading } from './category-heading.tsx'
import { categoriesId } from './categories-id.ts'
import { RouteLine } from './route-line.tsx'

const markStyles = {
  accent: 'border-accent bg-accent text-on-accent ring-8 ring-accent-soft',
  island: 'border-island bg-ground text-island ring-8 ring-island-soft',
  plain: 'border-edge bg-ground text-ink',
} satisfies Record<Category['mark'], string>

interface CategoryChartProps {
  /** Extra content of a card, such as a link. */
  extras: Partial<Readonly<Record<DiscoverCategory, ReactNode>>>
}

/** Six cards along one route: a chart on a wide screen, stops from top to bottom on a narrow one. */
export function CategoryChart({ extras }: CategoryChartProps) {
  return (
    <section aria-labelledby={categoriesId} className="flex flex-col gap-6">
      <CategoryHeading className="text-title" />
      <div className="relative isolate overflow-hidden rounded-card border border-line bg-panel/85 p-6 sm:p-8 lg:h-[36rem] lg:p-0">
        <RouteLine className="absolute inset-0 -z-10 hidden size-full lg:block" />
        <ul className="flex flex-col lg:block">
          {categories.map((category) => (
            <CategoryCard key={category.id} category={category}>
              {extras[category.id]}
            </CategoryCard>
          ))}
        </ul>
      </div>
    </section>
  )
}

interface CategoryCardProps {
  category: Category
  children: ReactNode
}

function CategoryCard({
  category: { id, name, icon: Icon, about, place, mark },
  children,
}: CategoryCardProps) {
  return (
    <li
      className={classNames(
        'group relative flex gap-5 pb-8 last:pb-0 lg:absolute lg:w-[24%] lg:flex-col lg:gap-4 lg:pb-0',
        place,
      )}
    >
      {/* The route on a narrow screen, from this stop to the next. */}
      <span
        aria-hidden
        className="absolute top-12 bottom-0 left-6 border-l border-dashed border-line-strong group-last:hidden lg:hidden"
      />
      <span
        className={classNames(
          'grid size-12 shrink-0 place-items-center rounded-full border transition-transform motion-safe:group-hover:scale-110',
          markStyles[mark],
        )}
      >
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-lg font-semibold">
          {/* The whole card is clickable. */}
          <Link
            to={paths.discoverCategory(id)}
            className="text-ink no-underline outline-none group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 after:absolute after:-inset-2 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {name}
          </Link>
        </h3>
        <p className="text-sm text-muted">{about}</p>
        <div className="relative z-10 flex flex-col items-start empty:hidden">{children}</div>
      </div>
    </li>
  )
}
