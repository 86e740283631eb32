import { Link } from 'react-router'
import Compass from 'virtual:icon/compass'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

/** Shown for an island that isn't the user's or doesn't exist, without saying which. */
export function NotYours() {
  return (
    <>
      <PageHeader title="Nothing here, or not yours" />
      <EmptyState icon={<Compass aria-hidden />} title="None of your islands has this address">
        It was deleted, or it belongs to somebody else.
        <span className="flex flex-wrap justify-center gap-3">
          <Link to={paths.dashboard()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
            Your islands
          </Link>
          <Link to={paths.newIsland()} className={buttonStyles({ size: 'sm' })}>
            Make an island
          </Link>
        </span>
      </EmptyState>
    </>
  )
}
