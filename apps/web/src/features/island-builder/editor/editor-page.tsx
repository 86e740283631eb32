import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import ArrowLeft from 'virtual:icon/arrow-left'
import FileCode from 'virtual:icon/file-code'
import { ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { NoOwnIsland } from '../not-yours.tsx'
import { refusalText, startingText } from './page-paths.ts'
import { hostedPagesQuery, liveDeployment } from '../pages/pages-query.ts'
import { deploymentFilesQuery, editedPages, showDraft, writeFiles } from './pages-queries.ts'
import { Workspace } from './workspace.tsx'

/** Where the host of an island writes its pages. */
export function EditorPage() {
  const { slug = '' } = useParams()
  const query = useQuery(ownIslandsQuery)
  const asked = slug.toLowerCase()
  const island = query.data?.find(
    (own) => own.slug === asked || own.oldSlugs.some((old) => old.slug === asked),
  )
  usePageTitle(island === undefined ? t`Pages` : t`Pages of ${island.name}`)
  if (island) return <PagesOf key={island.id} island={island} />
  return <NoOwnIsland query={query} />
}

/** How often the page looks whether the draft was changed elsewhere. */
const lookMs = 30_000

function PagesOf({ island }: { island: OwnIsland }) {
  const query = useQuery({ ...hostedPagesQuery(island.id), refetchInterval: lookMs })
  const { data: pages } = query
  const live = pages && liveDeployment(pages)?.id
  const published = useQuery({
    ...deploymentFilesQuery(island.id, live ?? ''),
    enabled: live !== undefined,
    // The editor stays when other pages go live.
    placeholderData: keepPreviousData,
  })
  const files = pages?.draft?.files ?? published.data
  if (pages?.address === null) {
    return (
      <Frame island={island}>
        <EmptyState icon={<FileCode aria-hidden />} title={t`This server hosts no pages`}>
          <Trans>Its operator can change that. Your island can lead to another website.</Trans>
        </EmptyState>
      </Frame>
    )
  }
  if (pages !== undefined && editedPages(pages) === undefined) {
    const title = pages.deployments.some(({ isInReview }) => isInReview)
      ? t`An operator of this server looks at your pages before they go live`
      : t`Your island has no pages yet`
    return (
      <Frame island={island}>
        <EmptyState icon={<FileCode aria-hidden />} title={title}>
          <Trans>
            Begin with a template, which you can change as you like, or with an empty page.
          </Trans>
          <span className="flex flex-wrap justify-center gap-3">
            <LinkButton to={paths.islandPages(island.slug)} size="sm">
              <Trans>Choose a template</Trans>
            </LinkButton>
            <StartEmpty islandId={island.id} />
          </span>
        </EmptyState>
      </Frame>
    )
  }
  if (pages === undefined || files === undefined) {
    return (
      <Frame island={island}>
        <ListFailure query={query} of="pages" />
        <ListFailure query={published} of="pages" />
        <Skeleton className="h-[28rem] w-full rounded-card" />
      </Frame>
    )
  }
  return <Workspace island={island} pages={pages} files={files} title={<Title island={island} />} />
}

/** Makes a draft with one empty page. */
function StartEmpty({ islandId }: { islandId: string }) {
  const client = useQueryClient()
  const starting = useMutation({
    mutationFn: () =>
      writeFiles(islandId, [{ path: 'index.html', text: startingText('index.html') }]),
    onSuccess: (draft) => showDraft(client, islandId, draft),
  })
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        busy={starting.isPending}
        onClick={() => starting.mutate()}
      >
        <Trans>Start with an empty page</Trans>
      </Button>
      <FormError>{refusalText(starting.error)}</FormError>
    </>
  )
}

function Frame({ island, children }: { island: OwnIsland; children: ReactNode }) {
  return (
    <>
      <Title island={island} />
      {children}
    </>
  )
}

function Title({ island: { slug, name } }: { island: OwnIsland }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Link
        to={paths.islandPages(slug)}
        className="inline-flex items-center gap-2 self-start text-sm text-muted no-underline hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        <Trans>Earlier versions and settings</Trans>
      </Link>
      <h1 className="text-title font-semibold wrap-anywhere">
        <Trans>
          Pages of <bdi>{name}</bdi>
        </Trans>
      </h1>
    </div>
  )
}
