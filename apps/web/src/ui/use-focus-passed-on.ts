import { type RefObject, useLayoutEffect } from 'react'

/**
 * When something goes with the button that had the focus, what stands beside it takes it: an item of a list, or the
 * heading where that has no button.
 */
export function useFocusPassedOn(item: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = item
    if (current === null) return undefined
    // A button that is disabled while it is busy loses the focus, and no event says so.
    let hadFocus = false
    const note = ({ target }: FocusEvent) => {
      hadFocus = target instanceof Node && current.contains(target)
    }
    document.addEventListener('focusin', note)
    // Before the item is out of the document: later nobody knows what stood beside it.
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
