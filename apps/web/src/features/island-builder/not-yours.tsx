import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../lib/link-button.tsx'
import Compass from 'virtual:icon/compass'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

/** Shown for an island that isn't the user's or doesn't exist, without saying which. */
export function NotYours() {
  return (
    <>
      <PageHeader title={t`Nothing here, or not yours`} />
      <EmptyState icon={<Compass aria-hidden />} title={t`None of your islands has this address`}>
        <Trans>It was deleted, or it belongs to somebody else.</Trans>
        <span className="flex flex-wrap justify-center gap-3">
          <LinkButton to={paths.dashboard()} variant="outline" size="sm">
            <Trans>Your islands</Trans>
          </LinkButton>
          <LinkButton to={paths.newIsland()} size="sm">
            <Trans>Make an island</Trans>
          </LinkButton>
        </span>
      </EmptyState>
    </>
  )
}
