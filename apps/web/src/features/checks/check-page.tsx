import type { OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { EmbedCard, NoEmbeds } from '../../lib/embed-card.tsx'
import { LinkButton } from '../../lib/link-button.tsx'
import { LoadedPage } from '../../lib/loaded-page.tsx'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { CheckHeader } from './check-header.tsx'
import { CheckPast } from './check-past.tsx'
import { checkQuery } from './check-queries.ts'
import { LocationsCard } from './locations-card.tsx'
import { OwnDeviceCard } from './own-device-card.tsx'
import { ReportsCard } from './reports-card.tsx'

interface CheckPageProps {
  /** Asks a signed-in reader what is wrong with somebody else’s check. */
  report?: (check: { readonly kind: 'check'; readonly id: string; readonly name: string }) => void
  /** What another feature shows its owner. */
  alertsOf?: (check: OwnCheck) => ReactNode
  /** From where others look at it. */
  arcsOf?: (id: string) => ReactNode
}

export function CheckPage(props: CheckPageProps) {
  const { id = '' } = useParams()
  return <CheckAt key={id} id={id} {...props} />
}

function CheckAt({ id, report, alertsOf, arcsOf }: CheckPageProps & { id: string }) {
  const { state } = useSession()
  // Until the session is known, it may be the viewer's own private check.
  const query = useQuery({
    ...checkQuery(id, state === 'signed-in'),
    enabled: state !== 'checking',
  })
  return (
    <LoadedPage
      query={query}
      title={t`Check`}
      loading={t`Loading the check…`}
      nothingHere={t`There is no check at this address, or it is private.`}
      own={
        <LinkButton to={paths.checks()}>
          <Trans>Your checks</Trans>
        </LinkButton>
      }
      notLoaded={{
        title: t`This check could not be loaded`,
        text: t`The connection failed, or the server is too busy. What it watches may be fine.`,
      }}
    >
      {({ check, own }) => (
        <div className="flex flex-col gap-6">
          <CheckHeader check={check} own={own} />
          {query.error !== null && (
            <ErrorLine query={query}>
              <Trans>This check could not be updated, so this may be out of date.</Trans>
            </ErrorLine>
          )}
          {own && <OwnDeviceCard own={own} />}
          <CheckPast
            check={check}
            beside={
              <>
                {own?.target.kind === 'push' && <ReportsCard id={id} target={own.target} />}
                {own && alertsOf?.(own)}
                <LocationsCard check={check} own={own} />
                <CheckEmbeds check={check} own={own} />
                {arcsOf?.(id)}
              </>
            }
          />
          {report && own === null && state === 'signed-in' && (
            <div className="border-t border-line pt-4">
              <Button
                variant="ghost"
                size="sm"
                onClick={() => report({ kind: 'check', id, name: check.name })}
              >
                <Trans>Report this check</Trans>
              </Button>
            </div>
          )}
        </div>
      )}
    </LoadedPage>
  )
}

function CheckEmbeds({ check, own }: { check: PublicCheck; own: OwnCheck | null }) {
  const { id, name, status, since } = check
  if (own?.device != null) return null
  if (own?.hidden) {
    return (
      <NoEmbeds>
        <Trans>While it is hidden, nobody can see its badge or its feed.</Trans>
      </NoEmbeds>
    )
  }
  if (own?.visibility === 'private') {
    return (
      <NoEmbeds>
        <Trans>Only you see this check, so it has no badge. Show it to everybody to get one.</Trans>
      </NoEmbeds>
    )
  }
  return (
    <EmbedCard
      of={{
        name,
        page: paths.check(id),
        statusBadge: paths.checkStatusBadge(id),
        uptimeBadge: paths.checkUptimeBadge(id),
      }}
      state={`${name} ${status} ${since}`}
    />
  )
}
