/**
 * A ref for an element that takes the focus when it appears, because the focused element has gone or because
 * it is what to read next.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
