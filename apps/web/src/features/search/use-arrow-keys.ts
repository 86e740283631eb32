import { type RefObject, useEffect } from 'react'

/** Arrow keys move between a field and the links below it. Escape returns to the field. */
export function useArrowKeys(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    element?.addEventListener('keydown', moveFocus)
    return () => element?.removeEventListener('keydown', moveFocus)
  }, [area])
}

function moveFocus(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event
  if (!(currentTarget instanceof HTMLElement)) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.findIndex((stop) => stop === target)
  // Other elements inside `area`, such as buttons beside the field, keep their keys.
  if (at === -1) return
  const next = nextStop(key, at, stops.length)
  if (next === undefined) return
  event.preventDefault()
  stops[next]?.focus()
}

function nextStop(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'Home':
      // In the field, these keys move the text cursor.
      return at === 0 ? undefined : 1
    case 'End':
      return at === 0 ? undefined : count - 1
    case 'Escape':
      return at === 0 ? undefined : 0
    default:
      return undefined
  }
}
