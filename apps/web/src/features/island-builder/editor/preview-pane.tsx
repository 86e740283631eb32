import { previewDraft } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import ExternalLink from 'virtual:icon/external-link'
import RotateCw from 'virtual:icon/rotate-cw'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { openFromHere } from '../../../lib/open-from-here.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { previewKey } from './pages-queries.ts'

interface PreviewPaneProps {
  islandId: string
  /** When the draft changed. */
  changedAt: string
  isShown: boolean
}

/** The draft, as its visitors would see it. */
export function PreviewPane({ islandId, changedAt, isShown }: PreviewPaneProps) {
  const ask = () => call(previewDraft, { params: { id: islandId } })
  const ticket = useQuery({
    queryKey: previewKey(islandId),
    queryFn: ask,
    enabled: isShown,
    // It opens once. Then the frame has a cookie.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const address = ticket.data?.address
  const frame = useFrame(address, isShown ? changedAt : undefined, () => void ticket.refetch())
  const opening = useMutation({ mutationFn: async () => openFromHere((await ask()).address) })
  const failure = failureText(ticket.error ?? opening.error)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <Button
          variant="ghost"
          size="sm"
          busy={ticket.isFetching}
          onClick={() => void ticket.refetch()}
        >
          <RotateCw aria-hidden />
          <Trans>Reload</Trans>
        </Button>
        <Button variant="ghost" size="sm" busy={opening.isPending} onClick={() => opening.mutate()}>
          <ExternalLink aria-hidden />
          <Trans>Open in a tab</Trans>
        </Button>
      </div>
      {failure !== undefined && (
        <div className="p-3">
          <ErrorLine query={ticket}>{failure}</ErrorLine>
        </div>
      )}
      {address !== undefined && (
        <iframe
          key={address}
          ref={frame}
          src={address}
          title={t`Preview`}
          referrerPolicy="origin"
          // oxlint-disable-next-line react/iframe-missing-sandbox -- it is on an origin of its own
          sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads"
          className="min-h-0 w-full flex-1"
        />
      )}
      <p className="mt-auto border-t border-line px-3 py-2 text-xs text-muted">
        <Trans>
          Does it stay empty? Then your browser keeps the preview from remembering you: open it in a
          tab.
        </Trans>
      </p>
    </>
  )
}

/** Loads the frame again after each change, with a new ticket only if its cookie may be another's. */
function useFrame(
  address: string | undefined,
  changedAt: string | undefined,
  askAgain: () => void,
) {
  const frame = useRef<HTMLIFrameElement>(null)
  const shownAt = useRef<string>(undefined)
  const isCookieSure = useRef(true)
  const show = useEffectEvent((at: string, origin: string) => {
    const isFirst = shownAt.current === undefined
    if (isFirst || shownAt.current === at) {
      shownAt.current = at
      return
    }
    shownAt.current = at
    // Setting `src` again would add an entry to the history.
    if (isCookieSure.current) frame.current?.contentWindow?.location.replace(`${origin}/`)
    else askAgain()
    isCookieSure.current = true
  })
  useEffect(() => {
    if (address !== undefined && changedAt !== undefined) show(changedAt, new URL(address).origin)
  }, [address, changedAt])
  useEffect(() => {
    // The editor of another island, in another tab, puts its own draft in the only cookie.
    const doubt = () => {
      isCookieSure.current = false
    }
    document.addEventListener('visibilitychange', doubt)
    return () => document.removeEventListener('visibilitychange', doubt)
  }, [])
  return frame
}
