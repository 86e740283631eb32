import type { HostedPages, PageFile } from '@astropelago/contract/hosted-pages'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Tabs } from 'radix-ui'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { paths } from '../../../paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { DraftSession, KeptTexts } from './draft-session.ts'
import { FileList } from './file-list.tsx'
import { firstFile } from './page-paths.ts'
import { liveDeployment } from '../pages/pages-query.ts'
import { readText, showDraft, writeFiles } from './pages-queries.ts'
import { PreviewPane } from './preview-pane.tsx'
import { PublishBar } from './publish-bar.tsx'
import { SessionLines } from './session-lines.tsx'
import { TextPane } from './text-pane.tsx'

interface WorkspaceProps {
  island: OwnIsland
  pages: HostedPages
  /** Those of the draft, or those with which it would begin. */
  files: readonly PageFile[]
  title: ReactNode
}

const panes = [
  { id: 'files', name: t`Files` },
  { id: 'text', name: t`Text` },
  { id: 'preview', name: t`Preview` },
] as const
type PaneId = (typeof panes)[number]['id']

/** Files, text and preview: side by side on wide screens, else one at a time. */
export function Workspace({ island: { id, slug }, pages, files, title }: WorkspaceProps) {
  const session = useDraftSession(id, pages)
  const { saving, revision } = useSyncExternalStore(session.subscribe, session.snapshot)
  const navigate = useNavigate()
  const isWide = useMediaQuery('(width >= 64rem)')
  const [pane, setPane] = useState<PaneId>('text')
  const names = useMemo(() => files.map(({ path }) => path), [files])
  const { path: asked, goTo } = useAskedPlace()
  const path = asked !== undefined && names.includes(asked) ? asked : firstFile(names)
  const file = files.find((each) => each.path === path)
  const parts = useRef<HTMLDivElement>(null)
  const open = (to: string | undefined) => {
    // The focused button is gone after the change.
    parts.current?.focus({ preventScroll: true })
    setPane(to === undefined ? 'files' : 'text')
    void navigate(paths.islandEditor(slug, to), { replace: true, preventScrollReset: true })
  }
  const published = liveDeployment(pages) && pages.address

  const contents: Readonly<Record<PaneId, ReactNode>> = {
    files: (
      <FileList
        {...{ session, id, slug, files, limits: pages.limits }}
        current={path}
        onOpen={() => setPane('text')}
        onMade={open}
      />
    ),
    text:
      file === undefined ? (
        <p className="p-5 text-sm text-muted">
          <Trans>The draft has no files. Make a new one, or add some.</Trans>
        </p>
      ) : (
        <TextPane
          key={`${file.path} ${revision}`}
          {...{ session, id, file, names, revision, goTo }}
          publishedAddress={published ?? undefined}
          onMoved={open}
        />
      ),
    preview:
      pages.draft === null ? (
        <p className="p-5 text-sm text-muted">
          <Trans>
            The preview begins with your next change. Until then, visitors see what is here.
          </Trans>
        </p>
      ) : (
        <PreviewPane
          islandId={id}
          changedAt={pages.draft.changedAt}
          isShown={isWide || pane === 'preview'}
        />
      ),
  }
  return (
    <div data-full-width className="-mt-4 flex min-w-0 flex-col gap-4 sm:-mt-8">
      <PublishBar
        {...{ session, id, slug, pages, title }}
        hasChanges={pages.draft !== null || saving.step !== 'saved'}
        onJump={() => setPane('text')}
      />
      <SessionLines session={session} hasDraft={pages.draft !== null} />
      <Tabs.Root
        value={pane}
        onValueChange={(value) => setPane(panes.find((each) => each.id === value)?.id ?? 'text')}
        className="flex min-w-0 flex-col gap-3"
      >
        <Tabs.List
          aria-label={t`Parts of the editor`}
          className="flex gap-1 border-b border-line-strong lg:hidden"
        >
          {panes.map((each) => (
            <Tabs.Trigger
              key={each.id}
              value={each.id}
              className="-mb-px h-10 border-b-2 border-transparent px-3 text-sm font-medium text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {each.name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <div
          ref={parts}
          tabIndex={-1}
          className="grid h-[calc(100dvh-8rem)] max-h-[64rem] min-h-96 grid-cols-[minmax(0,1fr)] gap-4 lg:h-[calc(100dvh-14rem)] lg:max-h-none outline-none lg:grid-cols-[15rem_minmax(0,1fr)_minmax(0,1fr)]"
        >
          {panes.map((each) => (
            <Tabs.Content
              key={each.id}
              value={each.id}
              // All stay, so that the text keeps its cursor and what can be undone.
              forceMount
              tabIndex={-1}
              {...(isWide && {
                role: 'region',
                'aria-label': each.name,
                'aria-labelledby': undefined,
              })}
              className={classNames(
                'min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line bg-panel outline-none',
                isWide || pane === each.id ? 'flex' : 'hidden',
              )}
            >
              {contents[each.id]}
            </Tabs.Content>
          ))}
        </div>
      </Tabs.Root>
    </div>
  )
}

/** The file in the address, and the line to go to, anew for each link that was followed. */
function useAskedPlace() {
  const [parameters] = useSearchParams()
  const { key } = useLocation()
  const path = parameters.get('file') ?? undefined
  const line = Number(parameters.get('line') ?? Number.NaN)
  const goTo = useMemo(() => (Number.isInteger(line) ? { line, key } : undefined), [line, key])
  return { path, goTo }
}

function useDraftSession(id: string, { draft }: HostedPages): DraftSession {
  const client = useQueryClient()
  const [session] = useState(
    () =>
      new DraftSession({
        draft,
        kept: keptDraft(`pages.${id}`, KeptTexts),
        write: (path, text) => writeFiles(id, [{ path, text }]),
        read: (path) => readText(client, id, path),
        show: (changed) => showDraft(client, id, changed),
      }),
  )
  // After each render, because it looks away while a call is under way.
  useEffect(() => session.meet(draft))
  useEffect(() => {
    void session.recover()
    const ending = new AbortController()
    const { signal } = ending
    const save = () => void session.save()
    window.addEventListener('online', save, { signal })
    window.addEventListener(
      'beforeunload',
      (event) => {
        if (!session.hasUnsaved()) return
        save()
        event.preventDefault()
      },
      { signal },
    )
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        save()
      },
      { signal },
    )
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') save()
      },
      { signal },
    )
    return () => {
      ending.abort()
      save()
    }
  }, [session])
  return session
}
