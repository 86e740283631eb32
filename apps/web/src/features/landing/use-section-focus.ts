import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Makes links to this page's sections work for everyone, wherever they stand: the way there is
 * shown, and the focus goes to the section's heading. A link that stands in its own section would lead
 * nowhere: it goes on, to the section's own h3 that can take the focus. The router scrolls by itself,
 * but not on a first load, when the page is drawn after the router has looked.
 */
export function useSectionFocus(): void {
  const location = useLocation()
  const isFirst = useRef(true)
  const pressed = useRef<Element>(null)

  useEffect(() => {
    const note = (event: MouseEvent) => {
      pressed.current = pressedJump(event)
      if (pressed.current !== null) document.documentElement.dataset['jump'] = ''
    }
    // Before the router hears of the click, since it scrolls at once.
    document.addEventListener('click', note, { capture: true })
    return () => document.removeEventListener('click', note, { capture: true })
  }, [])

  useEffect(() => {
    const isFirstRun = isFirst.current
    isFirst.current = false
    const link = pressed.current
    pressed.current = null
    // A second jump to the same section is a new location with the same hash.
    const { hash } = location
    const section = hash === '' ? null : document.getElementById(hash.slice(1))
    if (section !== null) {
      const isThere = section.contains(link)
      const heading = section.querySelector<HTMLElement>(isThere ? 'h3[tabindex]' : 'h2')
      // Whoever reloads further down stays there.
      if (isFirstRun && window.scrollY === 0) section.scrollIntoView()
      // A section that fits into the window is seen from its top, where the router scrolls.
      if (isThere && section.offsetHeight > window.innerHeight) heading?.scrollIntoView()
      heading?.focus({ preventScroll: true })
    }
    // By now a smooth jump is on its way, and goes on as it began.
    delete document.documentElement.dataset['jump']
  }, [location])
}

/**
 * The link to a section that a click follows. Meanwhile the style sheet makes the jump smooth, and
 * leaves it instant under reduced motion; not for good: going back or to another page must not glide
 * over a whole page.
 */
function pressedJump({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): Element | null {
  const isNewTab = ctrlKey || metaKey || shiftKey
  return isNewTab || !(target instanceof Element) ? null : target.closest('a[href^="/#"]')
}
