import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { FormError } from './form-error.tsx'

interface RemovableItemProps {
  /** Why what was asked of it failed. */
  readonly error: string | undefined
  readonly children: ReactNode
}

/** An item of a list that its own buttons may take away. */
export function RemovableItem({ error, children }: RemovableItemProps) {
  const item = useRef<HTMLLIElement>(null)
  useFocusPassedOn(item)
  return (
    <li
      ref={item}
      className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0"
    >
      {children}
      <FormError>{error}</FormError>
    </li>
  )
}

/** When an item of a list goes with the button that had the focus, the item beside it takes it. */
function useFocusPassedOn(item: RefObject<HTMLElement | null>): void {
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
