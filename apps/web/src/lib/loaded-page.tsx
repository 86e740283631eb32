import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { buttonStyles } from '../ui/button-styles.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ApiError } from './api-error.ts'
import { useSession } from './session.ts'
import { SignInLink } from './sign-in-link.tsx'
import { usePageTitle } from './use-page-title.ts'

interface LoadedPageProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** The page's title until its subject has a name. */
  title: string
  loading: string
  nothingHere: string
  /** Leads to what the viewer owns of the kind. */
  own: ReactNode
  notLoaded: { readonly title: string; readonly text: string }
  children: (data: Data) => ReactNode
}

/** A page about one subject, and what stands there until it has come, or if there is none. */
export function LoadedPage<Data>(props: LoadedPageProps<Data>) {
  const { query, title, loading, nothingHere, own, notLoaded, children } = props
  const { data, error, isFetching } = query
  const again = { isBusy: isFetching, onLookAgain: () => void query.refetch() }
  // Even while refetching: something the viewer may no longer see must not stay on the screen.
  if (error instanceof ApiError && error.code === 'not_found') {
    return <NothingHere text={nothingHere} own={own} {...again} />
  }
  if (data !== undefined) return children(data)
  return error === null ? (
    <PageSkeleton title={title} loading={loading} />
  ) : (
    <NotLoaded {...notLoaded} {...again} />
  )
}

function PageSkeleton({ title, loading }: { title: string; loading: string }) {
  usePageTitle(title)
  return (
    <div data-awaited className="flex flex-col gap-6">
      <output className="sr-only">{loading}</output>
      <div className="flex flex-col gap-3 pb-2">
        <Skeleton className="h-10 w-80 max-w-full rounded-control" />
        <Skeleton className="h-5 w-56 rounded-mark" />
      </div>
      <Skeleton className="h-32 w-full rounded-card" />
      <Skeleton className="h-64 w-full rounded-card" />
    </div>
  )
}

interface PageFailureProps {
  text: string
  isBusy: boolean
  onLookAgain: () => void
}

function NotLoaded(props: PageFailureProps & { title: string }) {
  const { title, text, isBusy, onLookAgain } = props
  usePageTitle(t`Not loaded`)
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">{title}</h1>
      <p className="text-muted">{text}</p>
      <Button busy={isBusy} onClick={onLookAgain}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}

/** Shows the same for something that does not exist and for somebody else's private thing. */
function NothingHere(props: PageFailureProps & { own: ReactNode }) {
  const { text, own, isBusy, onLookAgain } = props
  usePageTitle(t`Nothing here`)
  const isSignedOut = useSession().state === 'signed-out'
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">
        <Trans>Nothing here that you can see</Trans>
      </h1>
      <p className="text-muted">
        {text}
        {isSignedOut && (
          <>
            {' '}
            <Trans>If it is yours, sign in.</Trans>
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        {isSignedOut ? (
          <SignInLink className={buttonStyles()}>
            <Trans>Sign in</Trans>
          </SignInLink>
        ) : (
          own
        )}
        <Button variant="ghost" busy={isBusy} onClick={onLookAgain}>
          <Trans>Look again</Trans>
        </Button>
      </div>
    </div>
  )
}
