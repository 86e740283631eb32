import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Makes links to this page's sections work for everyone, wherever they stand: the way there is
 * shown, and the focus goes to the section's heading. The router scrolls by itself, but not on a
 * first load, when the page is drawn after the router has looked.
 */
export function useSectionFocus(): void {
  const location = useLocation()
  const isFirst = useRef(true)

  useEffect(() => {
    // Before the router hears of the click, since it scrolls at once.
    document.addEventListener('click', markJump, { capture: true })
    return () => document.removeEventListener('click', markJump, { capture: true })
  }, [])

  useEffect(() => {
    const isFirstRun = isFirst.current
    isFirst.current = false
    // By now a smooth jump is on its way, and goes on as it began.
    delete document.documentElement.dataset['jump']
    // A second jump to the same section is a new location with the same hash.
    const { hash } = location
    const section = hash === '' ? null : document.getElementById(hash.slice(1))
    if (section === null) return
    // Whoever reloads further down stays there.
    if (isFirstRun && window.scrollY === 0) section.scrollIntoView()
    section.querySelector('h2')?.focus({ preventScroll: true })
  }, [location])
}

/**
 * The style sheet makes a marked jump smooth, and leaves it instant under reduced motion. Not set
 * for good: going back or to another page must not glide over a whole page.
 */
function markJump({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  const isNewTab = ctrlKey || metaKey || shiftKey
  if (isNewTab || !(target instanceof Element) || target.closest('a[href^="/#"]') === null) return
  document.documentElement.dataset['jump'] = ''
}
