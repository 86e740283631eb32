import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FallbackProps } from 'react-error-boundary'
import { useLocation } from 'react-router'
import RotateCw from 'virtual:icon/rotate-cw'
import { LinkButton } from '../../lib/link-button.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'

function Trouble({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid items-center gap-10 py-6 md:grid-cols-[7fr_4fr] md:py-16">
      <div className="flex min-w-0 flex-col items-start gap-6">
        <h1 className="text-heading font-semibold">{title}</h1>
        {children}
      </div>
      <Adrift className="hidden w-full md:block" />
    </div>
  )
}

export function NotFoundPage() {
  usePageTitle(t`Not found`)
  const { pathname } = useLocation()
  return (
    <Trouble title={t`Nothing at this address`}>
      <p className="max-w-full text-muted">
        <Trans>
          There is no page at <span className="font-mono break-all text-ink">{pathname}</span>. The
          link may be old, or have a typing mistake in it.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.explore()}>
          <Trans>Explore</Trans>
        </LinkButton>
        <LinkButton to={paths.landing()} variant="outline">
          <Trans>Go to the start</Trans>
        </LinkButton>
      </div>
    </Trouble>
  )
}

/** Errors outside a page: mostly a page whose code can't be loaded. */
export function RouterError({ error }: { readonly error: unknown }) {
  usePageTitle(t`Error`)
  return (
    <div role="alert" className="mx-auto w-full max-w-6xl px-4 sm:px-0">
      <Trouble title={t`Unexpected Application Error!`}>
        <p className="text-muted">
          <Trans>
            This page could not be shown. If the connection was lost, or Astropelago has just been
            updated, loading it again helps.
          </Trans>
        </p>
        <p className="max-w-full font-mono text-sm break-words text-danger">
          {errorMessage(error)}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.location.reload()}>
            <RotateCw aria-hidden />
            <Trans>Load again</Trans>
          </Button>
          {/* A full page load, because the running app is broken. */}
          <a href={paths.landing()} className={buttonStyles({ variant: 'outline' })}>
            <Trans>Go to the start</Trans>
          </a>
        </div>
      </Trouble>
    </div>
  )
}

export function RuntimeError({ error, resetErrorBoundary }: FallbackProps) {
  usePageTitle(t`Runtime error`)
  return (
    <div role="alert">
      <Trouble title={t`This spark has encountered a runtime error`}>
        <p className="text-muted">
          <Trans>
            Something unexpected happened while running the application. The error details are shown
            below. Contact the spark author and let them know about this issue.
          </Trans>
        </p>
        <div className="flex w-full flex-col gap-2 rounded-card border border-line-strong bg-panel p-5">
          <h2 className="text-sm font-medium text-muted">
            <Trans>Error Details:</Trans>
          </h2>
          <pre className="font-mono text-sm break-words whitespace-pre-wrap text-danger">
            {errorMessage(error)}
          </pre>
        </div>
        <Button onClick={() => resetErrorBoundary()}>
          <RotateCw aria-hidden />
          <Trans>Try Again</Trans>
        </Button>
      </Trouble>
    </div>
  )
}

function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return typeof error === 'string' && error !== '' ? error : t`Unknown error`
}

/** A satellite out of its orbit. Decorative. */
function Adrift({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 280 240" fill="none" className={className}>
      <path
        d="M10 214C36 156 68 124 98 106"
        strokeDasharray="2 8"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-accent/60"
      />
      <path
        d="M186 84c40 4 66 40 84 92"
        strokeDasharray="2 8"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-line-strong"
      />
      <g className="fill-ink/60">
        <circle cx="40" cy="60" r="1.5" />
        <circle cx="96" cy="28" r="1" />
        <circle cx="236" cy="40" r="1.5" />
        <circle cx="258" cy="216" r="1" />
        <circle cx="120" cy="206" r="1.5" />
      </g>
      <g transform="rotate(24 168 120)">
        <rect x="146" y="96" width="44" height="52" rx="6" className="fill-raised stroke-edge" />
        <circle cx="168" cy="116" r="8" className="fill-ground stroke-muted" />
        <path d="M156 136h24" className="stroke-muted" />
        <path d="M146 122h-12m56 0h8" className="stroke-edge" />
        <path d="M82 104h52v36H82Z" className="fill-raised stroke-accent" />
        <path d="M99 104v36m18-36v36M82 122h52" className="stroke-accent/60" />
        <g transform="rotate(22 232 150)">
          <path d="M206 128h52v36h-52Z" className="fill-raised stroke-accent/70" />
          <path d="M223 128v36m18-36v36m-35-18h52" className="stroke-accent/40" />
        </g>
        <path d="M168 96V78m-10 2q10-14 20 0" className="stroke-muted" />
        <circle cx="168" cy="66" r="3" className="fill-danger" />
      </g>
    </svg>
  )
}
