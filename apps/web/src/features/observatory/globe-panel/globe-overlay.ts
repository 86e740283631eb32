/** Height of the globe's frame in CSS pixels, the same as in its class names. */
export const globeHeightPx = 460

/**
 * Focuses the box and calls `onLeft` when it loses the focus. The returned function hands the focus back if
 * the box still has it.
 */
export function keepFocus(box: HTMLElement, onLeft: () => void, onReturn: () => void): () => void {
  const ended = new AbortController()
  const closeWhenLeft = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node) || !box.contains(relatedTarget)) onLeft()
  }
  box.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  box.addEventListener('focusout', closeWhenLeft, { signal: ended.signal })
  return () => {
    ended.abort()
    if (box.contains(document.activeElement)) onReturn()
  }
}
