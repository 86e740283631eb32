import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Moves the focus to the heading of the section that the address names. The router scrolls there
 * by itself, but not on a first load, when the page is drawn after the router has looked.
 */
export function useSectionFocus(): void {
  const location = useLocation()
  const isFirst = useRef(true)

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
