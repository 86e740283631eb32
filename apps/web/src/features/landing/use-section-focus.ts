import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Makes links to this page's sections work for everyone: the way there is shown, and the focus goes to
 * the section's heading. The router scrolls by itself, but not on a first load, when the page is drawn
 * after the router has looked.
 */
export function useSectionFocus(): void {
  const location = useLocation()
  const isFirst = useRef(true)

  useEffect(() => {
    const note = (event: MouseEvent) => {
      if (isJump(event)) document.documentElement.dataset['jump'] = ''
    }
    // Before the router hears of the click, since it scrolls at once.
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
      // Whoever reloads further down stays there.
      if (isFirstRun && window.scrollY === 0) section.scrollIntoView()
      section.querySelector('h2')?.focus({ preventScroll: true })
    }
    // By now a smooth jump is on its way, and goes on as it began.
    delete document.documentElement.dataset['jump']
  }, [location])
}

/**
 * Whether a click follows a link to a section. Meanwhile the style sheet makes the jump smooth, and
 * leaves it instant under reduced motion; not for good: going back or to another page must not glide
 * over a whole page.
 */
function isJump({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isNewTab = ctrlKey || metaKey || shiftKey
  return !isNewTab && target instanceof Element && target.closest('a[href^="/#"]') !== null
}
