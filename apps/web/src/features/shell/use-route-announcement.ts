import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * A change of page within the app says nothing by itself to those who can't see it: this moves
 * the focus to the new page's content and returns its title to be read out.
 */
export function useRouteAnnouncement() {
  const { pathname, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shownPathname = useRef(pathname)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    // A page moves the focus to the section that the address names.
    if (hash !== '' && document.getElementById(hash.slice(1)) !== null) return
    main.current?.focus({ preventScroll: true })
  }, [pathname, hash])

  useEffect(() => {
    // The title changes when the page itself is there, which can be long after the path.
    const observer = new MutationObserver(() => setAnnouncement(document.title))
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])

  return [main, announcement] as const
}
