import { deployPages, type HostedPages } from '@astropelago/contract/hosted-pages'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import FileCode from 'virtual:icon/file-code'
import { EnterLink } from '../../../islands/enter-link.tsx'
import { routeUrl } from '../../../lib/fetch-answer.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { TextLink } from '../../../lib/text-link.tsx'
import { useUser } from '../../../lib/use-user.ts'
import { errorSentence } from '../../../lib/error-sentence.ts'
import { paths } from '../../../paths.ts'
import { Card } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { BlockedAddresses } from './blocked-addresses.tsx'
import { DeploymentItem, DownloadLink, factsOf, RemoveAll } from './deployments.tsx'
import { hostedPagesQuery, liveDeployment } from './pages-query.ts'
import { ReplacePages } from './replace-pages.tsx'

/** The pages of an island that this server hosts, always or while the agent is away. */
export function PagesPart({ island }: { island: OwnIsland }) {
  const { id, isHosted, isRelayed } = island
  const query = useQuery({ ...hostedPagesQuery(id), enabled: isHosted || isRelayed })
  const { data: pages } = query
  if (!isHosted && !isRelayed) return <NoPagesHere island={island} />
  if (pages === undefined) {
    return (
      <Card title={t`Pages`} description={descriptionOf(island)}>
        <ListFailure query={query} of="pages" />
        {query.isPending && <Skeleton className="h-64 w-full rounded-control" />}
      </Card>
    )
  }
  return (
    <>
      <LivePages island={island} pages={pages}>
        <ListFailure query={query} of="pages" />
      </LivePages>
      <Earlier id={id} pages={pages} />
      {pages.address !== null && <ReplacePages id={id} pages={pages} />}
      {pages.address !== null && <FromPrograms id={id} />}
    </>
  )
}

function descriptionOf({ isHosted }: OwnIsland): string {
  return isHosted
    ? t`The files that visitors see. This server hosts them.`
    : t`While your island is closed, visitors see these pages. As soon as the agent is back, they see your device again.`
}

function NoPagesHere({ island }: { island: OwnIsland }) {
  return (
    <Card title={t`Pages`}>
      <p className="text-sm text-muted">
        <Trans>
          Visitors of this island enter elsewhere. To have its pages here,{' '}
          <TextLink to={paths.islandSettings(island.slug, 'details')}>
            choose “Pages here” as its entrance
          </TextLink>
          .
        </Trans>
      </p>
    </Card>
  )
}

interface PagesProps {
  id: string
  pages: HostedPages
}

function LivePages(props: { island: OwnIsland; pages: HostedPages; children: ReactNode }) {
  const { island, pages, children } = props
  const { id, slug, isHosted } = island
  const live = liveDeployment(pages)
  const waiting = pages.deployments.find(({ isInReview }) => isInReview)
  return (
    <Card title={t`Pages`} description={descriptionOf(island)}>
      {children}
      {pages.address === null && (
        <output className="text-sm text-muted">{errorSentence('pages_off')}</output>
      )}
      {live === undefined ? (
        <EmptyState icon={<FileCode aria-hidden />} title={t`No pages yet`}>
          {isHosted
            ? t`Nobody can enter until there are some. Send your files or choose a template below.`
            : t`Without them, visitors read that your island is closed.`}
        </EmptyState>
      ) : (
        <>
          <p data-numeric className="text-sm text-muted">
            <Trans>Live now: {factsOf(live)}</Trans>
          </p>
          <BlockedAddresses blocked={live.blocked} />
        </>
      )}
      {waiting !== undefined && <InReview isLive={waiting.isLive} />}
      {pages.draft !== null && (
        <p className="text-sm text-muted">
          <Trans>The editor has changes that are not published yet.</Trans>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {pages.address !== null && (
          <LinkButton to={paths.islandEditor(slug)} size="sm">
            <Trans>Open the editor</Trans>
          </LinkButton>
        )}
        {live !== undefined && pages.address !== null && isHosted && (
          <EnterLink href={pages.address} size="sm" variant="outline">
            <Trans>Open the pages</Trans>
          </EnterLink>
        )}
        {live !== undefined && <DownloadLink id={id} deployment={live} />}
      </div>
    </Card>
  )
}

function InReview({ isLive }: { isLive: boolean }) {
  return (
    <p className="rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm text-ink">
      <Trans>
        An operator of this server looks at your newest pages first, because they ask for a password
        or carry this server’s name.
      </Trans>{' '}
      {isLive
        ? t`Until then, your island can’t be listed in Explore.`
        : t`Until then, visitors see the pages before them.`}
    </p>
  )
}

function Earlier({ id, pages }: PagesProps) {
  const { deployments, draft } = pages
  const hasSomething = deployments.length > 0 || draft !== null
  if (!hasSomething) return null
  return (
    <Card
      title={t`Deployments`}
      description={t`Each time you publish makes one. The last five stay, and you can bring each of them back.`}
    >
      <ul aria-label={t`Deployments`} className="flex min-w-0 flex-col border-y border-line">
        {deployments.map((deployment) => (
          <DeploymentItem key={deployment.id} id={id} deployment={deployment} />
        ))}
      </ul>
      <RemoveAll id={id} />
    </Card>
  )
}

function FromPrograms({ id }: { id: string }) {
  const { isDemo } = useUser()
  if (isDemo) return null
  const address = `${window.location.origin}${routeUrl(deployPages, { params: { id } })}`
  const command = [
    'curl -T site.zip',
    "-H 'Authorization: Bearer YOUR_API_KEY'",
    "-H 'Content-Type: application/zip'",
    `'${address}'`,
  ].join(' \\\n  ')
  return (
    <Card
      title={t`From your own computer`}
      description={
        <Trans>
          This command publishes a zip, for example after each change of your site. It needs an{' '}
          <TextLink to={paths.accountPart('keys')}>API key</TextLink> that may publish pages.
        </Trans>
      }
    >
      <CodeBlock label={t`Command`} language="sh" text={command} />
    </Card>
  )
}
