import { type RefObject, useLayoutEffect } from 'react'

/** When an item of a list goes with the button that had the focus, the item beside it takes it. */
export function useFocusPassedOn(item: RefObject<HTMLElement | null>): void {
  // Before the item is out of the document: later nobody knows where the focus was.
  useLayoutEffect(() => {
    const { current } = item
    return () => {
      if (!current?.contains(document.activeElement)) return
      const next = current.nextElementSibling ?? current.previousElementSibling
      const region = current.closest<HTMLElement>('section')
      const target = next?.querySelector<HTMLElement>('button') ?? region?.querySelector('h2')
      if (target instanceof HTMLHeadingElement) target.tabIndex = -1
      target?.focus()
    }
  }, [item])
}
