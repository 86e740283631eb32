import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { NodeList } from './list/node-list.tsx'
import { ObservatoryStatus } from './status/observatory-status.tsx'
import { useObservatory } from './use-observatory.ts'

export function ObservatoryPage() {
  usePageTitle('Observatory')
  const { store, source, attention } = useObservatory()
  return (
    <>
      <ObservatoryHeader />
      <ObservatoryStatus store={store} source={source} />
      <Card aria-labelledby="sky-and-earth">
        <CardHeader id="sky-and-earth" title="Sky and Earth" />
      </Card>
      <NodeList store={store} source={source} attention={attention} />
    </>
  )
}

function ObservatoryHeader() {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="flex max-w-2xl flex-col items-start gap-3">
        <Link
          to={paths.explore()}
          className="inline-flex items-center gap-2 text-sm text-muted transition-colors hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Back
        </Link>
        <h1 className="text-heading font-semibold">Observatory</h1>
        <p className="text-muted">
          Every public device of the network in its place, as it comes online and goes.
        </p>
      </div>
      <Link to={paths.connect()} className={buttonStyles({ variant: 'outline' })}>
        Connect your device
      </Link>
    </header>
  )
}
