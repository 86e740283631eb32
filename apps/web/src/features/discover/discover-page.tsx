import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { LinkButton } from '../../lib/link-button.tsx'
import { usePagePart } from '../../lib/router/page-parts.ts'
import { unknownAddress } from '../../lib/unknown-address.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { type DiscoverCategory, paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { takeFocus } from '../../ui/focus.ts'
import { OnDemandPanel } from '../../ui/on-demand-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { categories, type Category, CategoryBar, CategoryChart } from './categories.tsx'
import { IslandDirectory } from './island-directory.tsx'
import { LoungeFirst } from './lounge-first.tsx'
import { SignalList } from './signal-list.tsx'

const fetchStarChart = async () => (await import('./star-chart/star-chart.tsx')).StarChart

interface DiscoverPageProps {
  search: ReactNode
  mothership: ReactNode
  satellites: ReactNode
  library: ReactNode
  mothershipLinks?: ReactNode
}

export function DiscoverPage(props: DiscoverPageProps) {
  const { search, mothership, satellites, library, mothershipLinks } = props
  const category = usePagePart(categories)
  const unknown = unknownAddress(useLocation().state)
  const name = category?.name
  usePageTitle(name === undefined ? t`Discover` : t`${name} · Discover`)
  const panels: Readonly<Record<DiscoverCategory, ReactNode>> = {
    mothership,
    islands: <IslandDirectory />,
    satellites,
    charts: (
      <OnDemandPanel
        what={t`The star chart`}
        fetchPanel={fetchStarChart}
        panelProps={{}}
        skeleton={<Skeleton className="h-[36rem] w-full rounded-card" />}
      />
    ),
    signals: <SignalList />,
    library,
  }
  return (
    <div
      className={classNames('flex flex-col', category === undefined ? 'gap-10 sm:gap-12' : 'gap-6')}
    >
      {category === undefined && <LoungeFirst />}
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="text-heading font-semibold">
            <Trans>Discover</Trans>
          </h1>
          {category === undefined && (
            <p className="text-muted">
              <Trans>
                The islands that Navigators host, the devices that they run on, and the routes
                between them.
              </Trans>
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          <LinkButton to={paths.harborLogs()} variant="outline">
            <Trans>Harbor Logs</Trans>
          </LinkButton>
          <LinkButton to={paths.newIsland()} variant="outline">
            <Trans>Make an island</Trans>
          </LinkButton>
        </div>
      </header>
      {unknown !== undefined && (
        <output className="rounded-control border border-line bg-panel px-4 py-3 text-sm wrap-anywhere">
          <Trans>
            There is nothing at <span className="font-mono text-xs">{unknown}</span>. Try its name
            here.
          </Trans>
        </output>
      )}
      {search}
      {category === undefined ? (
        <CategoryChart extras={{ mothership: mothershipLinks }} />
      ) : (
        <>
          <CategoryBar openId={category.id} />
          <CategorySection key={category.id} category={category}>
            {panels[category.id]}
          </CategorySection>
        </>
      )}
    </div>
  )
}

function CategorySection(props: { category: Category; children: ReactNode }) {
  const {
    category: { id, name, about },
    children,
  } = props
  const navigation = useNavigationType()
  // After a page load or the Back button, the reader stays where they were.
  const [isPushed] = useState(navigation === NavigationType.Push)
  const titleId = `category-${id}`
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2
          // The pressed link is gone or far above.
          ref={isPushed ? takeFocus : undefined}
          id={titleId}
          tabIndex={-1}
          className="self-start rounded-mark text-title font-semibold outline-offset-4"
        >
          {name}
        </h2>
        <p className="max-w-2xl text-muted max-sm:sr-only">{about}</p>
      </div>
      {children}
    </section>
  )
}
