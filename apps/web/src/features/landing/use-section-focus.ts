import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Makes links to the page's sections accessible: scrolls there smoothly, and moves the focus to the
 * section's heading. The router scrolls by itself, but not on a first load, because it looks for the
 * section before the page is rendered.
 */
export function useSectionFocus(): void {
  const location = useLocation()
  const isFirst = useRef(true)

  useEffect(() => {
    const note = (event: MouseEvent) => {
      if (isJump(event)) document.documentElement.dataset['jump'] = ''
    }
    // In the capture phase, to run before the router, which scrolls at once.
    document.addEventListener('click', note, { capture: true })
    return () => document.removeEventListener('click', note, { capture: true })
  }, [])

  useEffect(() => {
    const isFirstRun = isFirst.current
    isFirst.current = false
    // A second jump to the same section is a new location with the same hash.
    const { hash } = location
    const section = hash === '' ? null : document.getElementById(hash.slice(1))
    if (section !== null) {
      // After a reload further down the page, the scroll position stays.
      if (isFirstRun && window.scrollY === 0) section.scrollIntoView()
      section.querySelector('h2')?.focus({ preventScroll: true })
    }
    // A smooth scroll that has started continues smoothly.
    delete document.documentElement.dataset['jump']
  }, [location])
}

/**
 * Whether a click follows a link to a section. Until the jump, the style sheet makes scrolling smooth, or
 * instant under reduced motion. It is not always smooth, because going back or to another page must not
 * scroll smoothly over a whole page.
 */
function isJump({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isNewTab = ctrlKey || metaKey || shiftKey
  return !isNewTab && target instanceof Element && target.closest('a[href^="/#"]') !== null
}
