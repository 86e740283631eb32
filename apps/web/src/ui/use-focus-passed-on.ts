import { type RefObject, useLayoutEffect } from 'react'

/**
 * Moves the focus when an item disappears with its focused button: to a button of the item beside it, or
 * else to the section's heading.
 */
export function useFocusPassedOn(item: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = item
    if (current === null) return undefined
    // A button that is disabled while busy loses the focus without an event.
    let hadFocus = false
    const note = ({ target }: FocusEvent) => {
      hadFocus = target instanceof Node && current.contains(target)
    }
    document.addEventListener('focusin', note)
    // Runs before the item leaves the document, while its neighbours are still known.
    return () => {
      document.removeEventListener('focusin', note)
      if (hadFocus) focusBeside(current)
    }
  }, [item])
}

function focusBeside(item: HTMLElement): void {
  const beside = item.nextElementSibling ?? item.previousElementSibling
  const button = beside?.querySelector<HTMLElement>('button')
  if (button) {
    button.focus()
    return
  }
  const heading = item.closest('section')?.querySelector('h2')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}
