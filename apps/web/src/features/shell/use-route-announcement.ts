import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Screen readers don't announce a page change within the app. This moves the focus to the new page's
 * content and returns the page's title, to be announced.
 */
export function useRouteAnnouncement() {
  const { pathname, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shownPathname = useRef(pathname)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    // A page moves the focus to the section in the address by itself.
    if (hash !== '' && document.getElementById(hash.slice(1)) !== null) return
    main.current?.focus({ preventScroll: true })
  }, [pathname, hash])

  useEffect(() => {
    // The title changes once the page has rendered, which can be long after the path changes.
    const observer = new MutationObserver(() => setAnnouncement(document.title))
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])

  return [main, announcement] as const
}
