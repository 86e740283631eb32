import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import * as v from 'valibot'
import { inviteParameter, openSignInEvent, signInParameter } from '../../lib/open-sign-in.ts'
import { SitePath } from '../../lib/return-path.ts'
import { useSession } from '../../lib/session.ts'
import { useWhenIdle } from '../../lib/use-when-idle.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'

const fetchDialog = async () => (await import('./sign-in-dialog.tsx')).SignInDialog

/** Opens the sign-in dialog on the window's event, on `?signin=1` or on `?invite=`. */
export function SignIn() {
  const session = useSession()
  const [searchParams, setSearchParams] = useSearchParams()
  const [sent, setSent] = useState<Event>()
  const [dialog, loadDialog] = useOnDemand(fetchDialog)
  useWhenIdle(loadDialog)
  const showToast = useToast()

  const invite = searchParams.get(inviteParameter)
  const isInUrl = searchParams.get(signInParameter) === '1' || invite !== null
  const isOpen = sent !== undefined || (isInUrl && session.state === 'signed-out')

  const close = useCallback(() => {
    setSent(undefined)
    if (!isInUrl) return
    setSearchParams(
      (current) => {
        current.delete(signInParameter)
        current.delete(inviteParameter)
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  }, [isInUrl, setSearchParams])

  useEffect(() => {
    window.addEventListener(openSignInEvent, setSent)
    return () => window.removeEventListener(openSignInEvent, setSent)
  }, [])

  useEffect(() => {
    if (!isOpen) return
    const show = async () => {
      if (await loadDialog()) return
      close()
      showToast({
        title: t`Sign-in could not be loaded`,
        description: t`Check the connection and try again.`,
        tone: 'failure',
      })
    }
    void show()
  }, [isOpen, loadDialog, close, showToast])

  if (dialog.step !== 'ready') return isOpen && dialog.step === 'loading' ? <SignInLoading /> : null
  return (
    <dialog.Component
      open={isOpen}
      invite={invite}
      pressed={goalOf(sent)}
      onOpenChange={(open) => {
        if (!open) close()
      }}
    />
  )
}

/** The pressed path; undefined if the event, sent by a host page, names none. */
function goalOf(sent: Event | undefined): string | undefined {
  return sent instanceof CustomEvent && v.is(SitePath, sent.detail) ? sent.detail : undefined
}

function SignInLoading() {
  return (
    <output className="fixed inset-0 z-40 grid animate-[appear_180ms_var(--ease-calm)_150ms_backwards] place-items-center bg-veil backdrop-blur-sm">
      <span className="flex items-center gap-3 text-sm">
        <Spinner />
        <Trans>Opening sign-in…</Trans>
      </span>
    </output>
  )
}
