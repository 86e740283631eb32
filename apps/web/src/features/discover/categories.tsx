import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import LibraryBig from 'virtual:icon/library-big'
import MapIcon from 'virtual:icon/map'
import RadioTower from 'virtual:icon/radio-tower'
import Rocket from 'virtual:icon/rocket'
import Satellite from 'virtual:icon/satellite'
import TreePalm from 'virtual:icon/tree-palm'
import { type DiscoverCategory, paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'

export interface Category {
  readonly id: DiscoverCategory
  readonly name: string
  readonly icon: IconComponent
  readonly about: string
  /** Its position on the wide chart. The route runs through it. */
  readonly place: string
  readonly mark: 'accent' | 'island' | 'plain'
}

export const categories: readonly Category[] = [
  {
    id: 'mothership',
    name: t`Mothership`,
    icon: Rocket,
    about: t`News from the people who run this server, and where to find help.`,
    place: 'lg:top-[14%] lg:left-[6%]',
    mark: 'accent',
  },
  {
    id: 'islands',
    name: t`Islands`,
    icon: TreePalm,
    about: t`Spaces that Navigators host: chats, games, media and apps.`,
    place: 'lg:top-[20%] lg:left-[38%]',
    mark: 'island',
  },
  {
    id: 'satellites',
    name: t`Satellites`,
    icon: Satellite,
    about: t`The devices that islands run on, and whether they are online.`,
    place: 'lg:top-[10%] lg:left-[69%]',
    mark: 'plain',
  },
  {
    id: 'charts',
    name: t`Charts`,
    icon: MapIcon,
    about: t`The routes between islands, as their hosts drew them.`,
    place: 'lg:top-[62%] lg:left-[10%]',
    mark: 'plain',
  },
  {
    id: 'signals',
    name: t`Signals`,
    icon: RadioTower,
    about: t`What island hosts announce: events to come, and what is new.`,
    place: 'lg:top-[68%] lg:left-[41%]',
    mark: 'plain',
  },
  {
    id: 'library',
    name: t`Library`,
    icon: LibraryBig,
    about: t`Short guides, from a first device to an island that lasts.`,
    place: 'lg:top-[60%] lg:left-[72%]',
    mark: 'plain',
  },
]

const categoriesId = 'categories'

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

const markStyles = {
  accent: 'border-accent bg-accent text-on-accent ring-8 ring-accent-soft',
  island: 'border-island bg-ground text-island ring-8 ring-island-soft',
  plain: 'border-edge bg-ground text-ink',
} satisfies Record<Category['mark'], string>

interface CategoryChartProps {
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

function CategoryCard(props: { category: Category; children: ReactNode }) {
  const {
    category: { id, name, icon: Icon, about, place, mark },
    children,
  } = props
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
        className="absolute top-12 bottom-0 start-6 border-s border-dashed border-line-strong group-last:hidden lg:hidden"
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

/** The graticule, and the route through the landmarks. Decorative. */
function RouteLine({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1104 576"
      // Stretches with the chart, because the landmarks are positioned at fractions of its width.
      preserveAspectRatio="none"
      fill="none"
      className={className}
    >
      <g className="stroke-line" vectorEffect="non-scaling-stroke">
        <path d="M0 96q552 56 1104 0M0 240q552 40 1104 0M0 384q552-20 1104 0M0 528q552-60 1104 0" />
        <path d="M184 0q-64 288 0 576M368 0q-32 288 0 576M552 0v576M736 0q32 288 0 576M920 0q64 288 0 576" />
      </g>
      <path
        d="M90 105C200 40 330 90 443 139S650 150 786 82C930 40 1090 130 1040 230S700 300 500 310S60 300 134 381C190 420 350 470 477 416S700 350 819 370"
        strokeDasharray="2 9"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-accent/55"
      />
    </svg>
  )
}

/** The target of the 'Categories' button. */
function CategoryHeading({ className }: { className: string }) {
  return (
    <h2
      id={categoriesId}
      tabIndex={-1}
      className={classNames('self-start rounded-mark font-semibold outline-offset-4', className)}
    >
      <Trans>Categories</Trans>
    </h2>
  )
}

export function CategoriesButton() {
  return (
    <Button
      variant="outline"
      size="lg"
      className="flex-1 sm:flex-none"
      onClick={() => document.getElementById(categoriesId)?.focus()}
    >
      <Trans>Categories</Trans>
    </Button>
  )
}
