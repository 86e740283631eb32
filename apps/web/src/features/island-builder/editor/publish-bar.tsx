import {
  type BlockedAddress,
  type HostedPages,
  publishDraft,
  removeDraft,
} from '@astropelago/contract/hosted-pages'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import ExternalLink from 'virtual:icon/external-link'
import X from 'virtual:icon/x'
import { formatList } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { paths } from '../../../paths.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { textLinkStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { takeFocus } from '../../../ui/focus.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import type { DraftSession } from './draft-session.ts'
import { refusalText } from './page-paths.ts'
import { hostedPagesQuery } from '../pages/pages-query.ts'
import { deploymentFilesQuery } from './pages-queries.ts'

type Published = AnswerBody<typeof publishDraft>

interface PublishBarProps {
  session: DraftSession
  id: string
  slug: string
  pages: HostedPages
  hasChanges: boolean
  title: ReactNode
  onJump: () => void
}

export function PublishBar(props: PublishBarProps) {
  const { session, id, slug, pages, hasChanges, title, onJump } = props
  // The focused button is gone after a change.
  const header = useRef<HTMLElement>(null)
  const takeBack = () => header.current?.focus()
  const { publishing, discarding } = usePublishing(session, id, takeBack)
  const published = publishing.data
  return (
    <>
      <header
        ref={header}
        tabIndex={-1}
        className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 outline-none"
      >
        {title}
        <div className="flex flex-wrap items-center gap-3">
          {pages.draft !== null && (
            <AskFirst
              label={t`Discard the draft`}
              variant="ghost"
              keep={t`Keep it`}
              confirm={t`Discard it`}
              busy={discarding.isPending}
              onConfirm={() => discarding.mutate()}
            >
              <Trans>
                All changes since the last publication are lost. Your visitors notice nothing.
              </Trans>
            </AskFirst>
          )}
          <Button
            size="sm"
            busy={publishing.isPending}
            busyLabel={t`Publishing…`}
            disabled={!hasChanges}
            onClick={() => publishing.mutate()}
          >
            <Trans>Publish</Trans>
          </Button>
        </div>
      </header>
      <FormError>{refusalText(publishing.error ?? discarding.error)}</FormError>
      {published && (
        <Result
          {...{ slug, published, onJump }}
          address={pages.address}
          onClose={() => {
            publishing.reset()
            takeBack()
          }}
        />
      )}
    </>
  )
}

function usePublishing(session: DraftSession, id: string, onDiscarded: () => void) {
  const client = useQueryClient()
  const showToast = useToast()
  const { queryKey } = hostedPagesQuery(id)
  const publish = async () => {
    const published = await call(publishDraft, { params: { id } })
    const { deployment } = published
    client.setQueryData(queryKey, (pages) => {
      if (pages === undefined) return undefined
      const filesKey = deploymentFilesQuery(id, deployment.id).queryKey
      client.setQueryData(filesKey, pages.draft?.files)
      const others = deployment.isLive
        ? pages.deployments.map((other) => ({ ...other, isLive: false }))
        : pages.deployments
      return { ...pages, deployments: [deployment, ...others] }
    })
    return published
  }
  const publishing = useMutation({
    mutationFn: () => session.change(publish, () => null),
    onSuccess: (published) => {
      // What can be changed now is what was live before.
      if (!published.deployment.isLive) session.readAgain()
      void client.invalidateQueries({ queryKey, exact: true })
    },
  })
  const discarding = useMutation({
    mutationFn: () => session.discard(() => call(removeDraft, { params: { id } })),
    onSuccess: () => {
      onDiscarded()
      showToast({ title: t`The draft is discarded` })
    },
  })
  return { publishing, discarding }
}

interface ResultProps {
  slug: string
  published: Published
  address: string | null
  onJump: () => void
  onClose: () => void
}

function Result({ slug, published, address, onJump, onClose }: ResultProps) {
  const { deployment, leftOut } = published
  return (
    <section
      aria-label={t`Published`}
      className="relative flex flex-col gap-3 rounded-card border border-line-strong bg-raised p-4 pe-14 text-sm"
    >
      <p ref={takeFocus} tabIndex={-1} className="font-medium outline-none">
        {deployment.isLive
          ? t`Your pages are live.`
          : t`An operator of this server looks at these pages before they go live.`}
        {deployment.isLive && address !== null && (
          <>
            {' '}
            <a href={address} target="_blank" rel="noopener noreferrer" className={textLinkStyles}>
              <Trans>Open them</Trans> <ExternalLink aria-hidden className="inline size-3.5" />
            </a>
          </>
        )}
      </p>
      {leftOut.length > 0 && (
        <p className="wrap-anywhere text-muted">
          <Trans>Left out: {formatList(leftOut)}</Trans>
        </p>
      )}
      {deployment.blocked.length > 0 && (
        <>
          <p className="text-muted">
            <Plural
              value={deployment.blocked.length}
              one="One address is on another server, from which your visitors’ browsers load nothing:"
              other="# addresses are on other servers, from which your visitors’ browsers load nothing:"
            />
          </p>
          <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto">
            {deployment.blocked.map(({ path, line, address: blocked, what }) => (
              <li key={`${path} ${line} ${what} ${blocked}`} className="wrap-anywhere">
                <Link
                  to={paths.islandEditor(slug, path, line)}
                  replace
                  preventScrollReset
                  className={textLinkStyles}
                  onClick={onJump}
                >
                  <Trans>
                    {path}, line {line}
                  </Trans>
                </Link>{' '}
                <span className="text-muted">
                  {blockedWords[what]} <code className="font-mono">{blocked}</code>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={t`Close`}
        className="absolute top-2 end-2"
        onClick={onClose}
      >
        <X aria-hidden className="text-muted" />
      </Button>
    </section>
  )
}

const blockedWords: Readonly<Record<BlockedAddress['what'], string>> = {
  script: t`Script:`,
  style: t`Style sheet:`,
  picture: t`Picture:`,
  frame: t`Frame:`,
  form: t`Form:`,
  request: t`Request:`,
  font: t`Font:`,
  media: t`Sound or video:`,
}
