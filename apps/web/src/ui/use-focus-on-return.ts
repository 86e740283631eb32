import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to a control when it replaces what the user has just closed. */
export function useFocusOnReturn(control: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) control.current?.focus()
    wasOpen.current = isOpen
  }, [control, isOpen])
}
