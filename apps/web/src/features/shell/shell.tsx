import type { ReactNode } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { useRouteAnnouncement } from './use-route-announcement.ts'

const mainId = 'main'

interface ShellProps {
  /** What is drawn behind every page. */
  sky: ReactNode
  /** Stands above the header of the landing page. */
  notice: ReactNode
  /** The sign-in dialog, which opens from anywhere. */
  signIn: ReactNode
  /** The search, which does so too. */
  search: ReactNode
}

/** Entries that were loaded, not navigated to, have one key: the page tells them apart. */
function entryKey({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key
}

/** What stands around every page. */
export function Shell({ sky, notice, signIn, search }: ShellProps) {
  const { pathname } = useLocation()
  const [main, announcement] = useRouteAnnouncement()
  return (
    <div className="flex flex-col">
      {sky}
      <a
        href={`#${mainId}`}
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-sm font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {pathname === paths.landing() && notice}
      <Header />
      <main
        id={mainId}
        ref={main}
        tabIndex={-1}
        // As tall as the window: the footer never stands where a page is about to be drawn.
        className="mx-auto flex min-h-[calc(100dvh-4rem)] w-full max-w-6xl flex-col gap-8 px-4 py-10 outline-none sm:px-6 sm:py-14 has-data-full-width:max-w-none"
      >
        <Outlet />
      </main>
      <Footer />
      <LiveRegion>{announcement}</LiveRegion>
      {signIn}
      {search}
      <ScrollRestoration getKey={entryKey} />
    </div>
  )
}
