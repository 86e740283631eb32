import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { usePagePath } from '../../lib/router/page-path.ts'
import { paths } from '../../paths.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

const mainId = 'main'

interface ShellProps {
  sky: ReactNode
  /** Above the landing page's header. */
  notice: ReactNode
  signIn: ReactNode
  search: ReactNode
}

export function Shell({ sky, notice, signIn, search }: ShellProps) {
  const { pathname } = useLocation()
  const [main, announcement] = useRouteAnnouncement()
  return (
    <div className="flex flex-col">
      {sky}
      <a
        href={`#${mainId}`}
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-sm font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:start-3"
      >
        <Trans>Skip to content</Trans>
      </a>
      {pathname === paths.landing() && notice}
      <Header />
      <main
        id={mainId}
        ref={main}
        tabIndex={-1}
        // At least as tall as the window, so that the footer is never in view where a page is about to
        // appear.
        className="mx-auto flex min-h-[calc(100dvh-4rem)] w-full max-w-6xl flex-col gap-8 px-4 py-10 outline-none sm:px-6 sm:py-14 has-data-full-width:max-w-none"
      >
        <Outlet />
      </main>
      <Footer />
      <LiveRegion>{announcement}</LiveRegion>
      {signIn}
      {search}
    </div>
  )
}

/** Moves the focus to a new page and returns its title, because screen readers notice neither. */
function useRouteAnnouncement() {
  const { hash } = useLocation()
  const page = usePagePath()
  const main = useRef<HTMLElement>(null)
  const shownPage = useRef(page)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (shownPage.current === page) return
    shownPage.current = page
    // A page moves the focus to the section in the address by itself.
    if (hash !== '' && document.getElementById(hash.slice(1)) !== null) return
    main.current?.focus({ preventScroll: true })
  }, [page, hash])

  useEffect(() => {
    // The title changes once the page has rendered, which can be long after the path changes.
    const observer = new MutationObserver(() => setAnnouncement(document.title))
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])

  return [main, announcement] as const
}
