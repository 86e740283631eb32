/** A tab that is hidden for longer gives up its connection. */
const hiddenMs = 60_000

export type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * Reports when a page has been hidden for a minute, and when it is shown.
 * @returns stops reporting
 */
export function followPage(
  page: Page,
  { onHidden, onShown }: { readonly onHidden: () => void; readonly onShown: () => void },
): () => void {
  let hiding: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    clearTimeout(hiding)
    if (page.hidden) hiding = setTimeout(onHidden, hiddenMs)
    else onShown()
  }
  page.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    clearTimeout(hiding)
    page.removeEventListener('visibilitychange', follow)
  }
}
