/** Of the globe's frame, in CSS pixels; the classes around it say the same. */
export const globeHeightPx = 460

/** Takes the focus; gives it back when the chooser goes, and lets it go when the focus leaves. */
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
