import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { usePagePath } from '../../lib/router/page-path.ts'

/**
 * Screen readers don't announce a page change within the app. This moves the focus to the new page's
 * content and returns the page's title, to be announced.
 */
export function useRouteAnnouncement() {
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
