import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A ref for an element that replaces the focused one, and takes the focus when it appears. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

/** A ref for a control that gives way to what it opens. It gets the focus back when that closes. */
export function useFocusReturn<Control extends HTMLElement = HTMLButtonElement>(
  isOpen: boolean,
): RefObject<Control | null> {
  const opener = useRef<Control>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return opener
}

/** A removed item passes its focus to the item beside it, or to the section's heading. */
export function useFocusPassedOn(item: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = item
    if (current === null) return undefined
    // A button that is disabled while busy loses the focus without an event.
    let hadFocus = false
    const follow = ({ target }: FocusEvent) => {
      hadFocus = target instanceof Node && current.contains(target)
    }
    document.addEventListener('focusin', follow)
    // Runs before the item leaves the document, while its neighbours are still known.
    return () => {
      document.removeEventListener('focusin', follow)
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
