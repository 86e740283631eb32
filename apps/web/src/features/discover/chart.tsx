import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { categoriesId } from './categories-id.ts'
import { landmarks, type Landmark } from './landmarks.ts'
import { RouteLine } from './route-line.tsx'

const markStyles = {
  accent: 'border-accent bg-accent text-on-accent ring-8 ring-accent-soft',
  island: 'border-island bg-ground text-island ring-8 ring-island-soft',
  plain: 'border-edge bg-ground text-ink',
} satisfies Record<Landmark['mark'], string>

/** Six cards along one route: a chart on a wide screen, stops below one another on a narrow one. */
export function Chart({ mothership }: { mothership?: ReactNode }) {
  return (
    <section aria-labelledby={categoriesId} className="flex flex-col gap-6">
      <h2
        id={categoriesId}
        tabIndex={-1}
        className="self-start rounded-mark text-title font-semibold outline-offset-4"
      >
        Categories
      </h2>
      <div className="relative isolate overflow-hidden rounded-card border border-line bg-panel/85 p-6 sm:p-8 lg:h-[36rem] lg:p-0">
        <RouteLine className="absolute inset-0 -z-10 hidden size-full lg:block" />
        <ul className="flex flex-col lg:block">
          {landmarks.map((landmark) => (
            <LandmarkCard key={landmark.name} landmark={landmark}>
              {landmark.name === 'Mothership' && mothership}
            </LandmarkCard>
          ))}
        </ul>
      </div>
    </section>
  )
}

interface LandmarkCardProps {
  landmark: Landmark
  /** Where it leads, if anywhere. */
  children: ReactNode
}

function LandmarkCard({
  landmark: { name, icon: Icon, about, place, mark },
  children,
}: LandmarkCardProps) {
  return (
    <li
      className={classNames(
        'group relative flex gap-5 pb-8 last:pb-0 lg:absolute lg:w-[24%] lg:flex-col lg:gap-4 lg:pb-0',
        place,
      )}
    >
      {/* The route on a narrow screen: from this stop to the next one. */}
      <span
        aria-hidden
        className="absolute top-12 bottom-0 left-6 border-l border-dashed border-line-strong group-last:hidden lg:hidden"
      />
      <span
        className={classNames(
          'grid size-12 shrink-0 place-items-center rounded-full border',
          markStyles[mark],
        )}
      >
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-lg font-semibold">{name}</h3>
        <p className="text-sm text-muted">{about}</p>
        <div className="flex flex-col items-start">{children}</div>
      </div>
    </li>
  )
}
