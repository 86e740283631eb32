import type { GuideBlock, GuideEntry } from '@astropelago/contract/guides'
import { searchMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { loadGuide, shelves } from 'virtual:guides'
import ArrowLeft from 'virtual:icon/arrow-left'
import ArrowRight from 'virtual:icon/arrow-right'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Input } from '../../ui/input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GuideList, operatorGuideQuery } from './guide-list.tsx'

const builtIn = shelves.flatMap((shelf) => shelf.guides)

export function LibraryPage() {
  const { name } = useParams()
  const at = builtIn.findIndex((guide) => guide.name === name)
  const guide = builtIn[at]
  if (name === undefined) {
    return (
      <AllGuides
        lead={t`Short guides for Navigators, from a first device to an island that lasts.`}
      />
    )
  }
  // The key gives each guide its own element, so that one guide's text never shows below another's
  // title.
  if (guide !== undefined) return <BuiltInGuide key={name} guide={guide} next={builtIn[at + 1]} />
  const none = <AllGuides lead={t`There is no guide by that name. Here are all guides.`} />
  return <OperatorGuide key={name} name={name} none={none} />
}

function AllGuides({ lead }: { lead: string }) {
  usePageTitle(t`Library`)
  const [asked, setAsked] = useState('')
  return (
    <>
      <PageHeader title={t`Library`} lead={lead} />
      <search className="flex flex-col gap-10">
        <Input
          type="search"
          value={asked}
          onChange={({ target }) => setAsked(target.value)}
          maxLength={searchMaxLength}
          autoComplete="off"
          aria-label={t`Find a guide`}
          placeholder={t`Find a guide...`}
          className="sm:max-w-sm"
        />
        <GuideList asked={asked} />
      </search>
    </>
  )
}

function BuiltInGuide({ guide, next }: { guide: GuideEntry; next: GuideEntry | undefined }) {
  const { name } = guide
  usePageTitle(guide.title)
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await loadGuide[name]?.())?.blocks ?? [],
    // It is part of the build, so it never goes stale.
    staleTime: Infinity,
  })
  const retry = isError ? { busy: isFetching, onRetry: () => void refetch() } : undefined
  return <GuideText guide={guide} blocks={data} retry={retry} next={next} />
}

function OperatorGuide({ name, none }: { name: string; none: ReactNode }) {
  const { data, isLoadingError: isError, isFetching, refetch } = useQuery(operatorGuideQuery(name))
  usePageTitle(data?.title ?? t`Library`)
  if (data === null) return none
  const retry = isError ? { busy: isFetching, onRetry: () => void refetch() } : undefined
  // Its text begins with the paragraph that lists show as its summary.
  const guide = data && { ...data, summary: '' }
  return <GuideText guide={guide} blocks={data?.blocks} retry={retry} />
}

interface GuideTextProps {
  guide: GuideEntry | undefined
  blocks: readonly GuideBlock[] | undefined
  retry: { readonly busy: boolean; readonly onRetry: () => void } | undefined
  next?: GuideEntry | undefined
}

function GuideText({ guide, blocks, retry, next }: GuideTextProps) {
  return (
    <article className="flex w-full max-w-3xl flex-col gap-8 self-center">
      <Link
        to={paths.library()}
        className="inline-flex items-center gap-2 self-start text-sm text-muted transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        <Trans>Library</Trans>
      </Link>
      {guide === undefined ? (
        <PageHeader title={retry ? t`Guide` : <Skeleton className="h-10 w-2/3 rounded-mark" />} />
      ) : (
        <PageHeader title={guide.title} lead={guide.summary || undefined} />
      )}
      {blocks !== undefined && <Blocks blocks={blocks} />}
      {blocks === undefined && !retry && <TextSkeleton />}
      {retry && (
        <ErrorLine {...retry}>
          <Trans>This guide could not be loaded.</Trans>
        </ErrorLine>
      )}
      {next !== undefined && (
        <nav aria-label={t`Next guide`} className="border-t border-line pt-6">
          <Link
            to={paths.guide(next.name)}
            className="group flex flex-col items-end gap-1 text-end text-ink no-underline"
          >
            <span className="text-sm text-muted">
              <Trans>Next</Trans>
            </span>
            <span className="inline-flex items-center gap-2 font-medium group-hover:underline">
              {next.title}
              <ArrowRight aria-hidden className="size-4 text-muted" />
            </span>
          </Link>
        </nav>
      )}
    </article>
  )
}

const textStyles =
  'flex min-w-0 flex-col gap-4 text-base wrap-break-word text-muted [&_a]:text-accent [&_a]:underline [&_a]:decoration-accent/40 [&_a]:underline-offset-4 [&_a:hover]:decoration-current [&_code]:rounded-mark [&_code]:bg-hover [&_code]:px-1.5 [&_code]:py-0.5 [&_code]:font-mono [&_code]:text-[0.875em] [&_code]:wrap-anywhere [&_code]:text-ink [&_h2]:mt-4 [&_h2]:text-title [&_h2]:font-semibold [&_h2]:text-ink [&_:is(h3,h4,h5,h6)]:mt-2 [&_:is(h3,h4,h5,h6)]:text-lg [&_:is(h3,h4,h5,h6)]:font-semibold [&_:is(h3,h4,h5,h6)]:text-ink [&_hr]:my-2 [&_hr]:border-line [&_blockquote]:flex [&_blockquote]:flex-col [&_blockquote]:gap-4 [&_blockquote]:border-s-2 [&_blockquote]:border-line-strong [&_blockquote]:ps-4 [&_pre]:my-2 [&_pre]:rounded-control [&_pre]:border [&_pre]:border-line-strong [&_pre]:bg-ground [&_pre]:p-4 [&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap [&_pre_code]:bg-transparent [&_pre_code]:p-0 [&_[role=group]]:overflow-x-auto [&_[role=group]_:is(td,th)]:min-w-24 [&_li]:ps-1 [&_ol]:flex [&_ol]:list-decimal [&_ol]:flex-col [&_ol]:gap-2 [&_ol]:ps-6 [&_strong]:text-ink [&_table]:w-full [&_table]:text-start [&_table]:text-sm [&_td]:border-t [&_td]:border-line [&_td]:py-2.5 [&_td]:pe-4 [&_td]:align-top [&_th]:py-2.5 [&_th]:pe-4 [&_th]:font-medium [&_th]:text-ink [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-2 [&_ul]:ps-6 [&_ul]:marker:text-edge'

function Blocks({ blocks }: { blocks: readonly GuideBlock[] }) {
  const within = useOwnLinks()
  return (
    <div ref={within} className="flex min-w-0 flex-col gap-5">
      {blocks.map((block) =>
        block.kind === 'code' ? (
          <CodeBlock
            key={block.text}
            label={block.label}
            language={block.language}
            text={block.text}
          />
        ) : (
          <div
            key={block.html}
            className={textStyles}
            // The HTML comes from this repository's own files, which contain none
            // (apps/web/parse-guide.ts), or from the server, which escapes everything that an operator
            // wrote and generates the tags itself (GU1 in docs/security.md). This is the only place that
            // sets HTML.
            dangerouslySetInnerHTML={{ __html: block.html }}
          />
        ),
      )}
    </div>
  )
}

/** Makes the text's links to this site navigate within the app, without a page load. */
function useOwnLinks() {
  const within = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    const element = within.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      if (link === null || link.target !== '' || event.button !== 0 || !isPlain) return
      // `mailto:` links open the e-mail program.
      if (link.origin !== window.location.origin) return
      event.preventDefault()
      void navigate(link.pathname + link.search + link.hash)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  return within
}

function TextSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-7 w-48 rounded-mark" />
      <Skeleton className="h-20 w-full rounded-mark" />
      <Skeleton className="h-28 w-full rounded-control" />
      <Skeleton className="h-20 w-full rounded-mark" />
    </div>
  )
}
