import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Chart } from './chart.tsx'
import { SearchForm } from './search-form.tsx'
import { TavernNotice } from './tavern-notice.tsx'

interface DiscoverPageProps {
  /** Where the Mothership's card leads. */
  mothership?: ReactNode
  /** What stands below the chart. */
  news?: ReactNode
}

export function DiscoverPage({ mothership, news }: DiscoverPageProps) {
  usePageTitle('Discover')
  return (
    <div className="flex flex-col gap-10 sm:gap-14">
      <TavernNotice />
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex max-w-2xl flex-col gap-3">
          <h1 className="text-heading font-semibold">Discover</h1>
          <p className="text-muted">
            A chart of what the network is made of. It fills up as Navigators bring their islands
            online; yours can be among the first.
          </p>
        </div>
        <Link to={paths.connect()} className={buttonStyles({ variant: 'outline' })}>
          Connect your device
        </Link>
      </header>
      <SearchForm />
      <Chart mothership={mothership} />
      {news}
    </div>
  )
}
