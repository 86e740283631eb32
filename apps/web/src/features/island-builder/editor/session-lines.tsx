import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { formatList } from '../../../language/format.ts'
import { openSignIn } from '../../../lib/open-sign-in.ts'
import { isSignedOut } from '../../../lib/query-state.ts'
import { Button } from '../../../ui/button.tsx'
import type { DraftSession, Saving } from './draft-session.ts'
import { refusalText } from './page-paths.ts'

/** Says whether the server has everything, and offers what is to be done if not. */
export function SessionLines({ session, hasDraft }: { session: DraftSession; hasDraft: boolean }) {
  const { saving, isChangedElsewhere, recovered } = useSyncExternalStore(
    session.subscribe,
    session.snapshot,
  )
  const left = Object.keys(recovered)
  return (
    <div className="flex flex-col gap-2 text-sm">
      {saving.step === 'failed' ? (
        <Failure session={session} saving={saving} />
      ) : (
        <p className="text-muted">
          {saving.step === 'saved' && !hasDraft ? t`Nothing is changed.` : words[saving.step]}
        </p>
      )}
      {isChangedElsewhere && (
        <Line text={t`The draft was changed in another window, or published.`}>
          <Button variant="link" size="sm" onClick={() => session.readAgain()}>
            <Trans>Show the change</Trans>
          </Button>
        </Line>
      )}
      {left.length > 0 && (
        <Line
          text={
            <>
              <Plural
                value={left.length}
                one="Your last visit left a text that was not saved:"
                other="Your last visit left texts that were not saved:"
              />{' '}
              <bdi className="wrap-anywhere text-ink">{formatList(left)}</bdi>
            </>
          }
        >
          <Button variant="link" size="sm" onClick={() => session.endRecovery(true)}>
            <Trans>Restore</Trans>
          </Button>
          <Button variant="link" size="sm" onClick={() => session.endRecovery(false)}>
            <Trans>Discard</Trans>
          </Button>
        </Line>
      )}
    </div>
  )
}

const words: Readonly<Record<Exclude<Saving['step'], 'failed'>, string>> = {
  saved: t`The draft is saved.`,
  unsaved: t`Not saved yet…`,
  saving: t`Saving…`,
}

function Failure({
  session,
  saving: { path, error },
}: {
  session: DraftSession
  saving: Extract<Saving, { step: 'failed' }>
}) {
  const retrying = useMutation({ mutationFn: () => session.save() })
  const reason = refusalText(error)
  return (
    <Line
      text={
        <Trans>
          <bdi className="wrap-anywhere">{path}</bdi> is not saved, and stays in this window.{' '}
          {reason}
        </Trans>
      }
    >
      {isSignedOut(error) && (
        <Button variant="link" size="sm" onClick={() => openSignIn()}>
          <Trans>Sign in</Trans>
        </Button>
      )}
      <Button variant="link" size="sm" busy={retrying.isPending} onClick={() => retrying.mutate()}>
        <Trans>Try again</Trans>
      </Button>
    </Line>
  )
}

function Line({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <output className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-island-soft px-3 py-2">
      <span className="min-w-0">{text}</span>
      {children}
    </output>
  )
}
