/**
 * Opens a tab that says where it comes from, which previews of pages ask for. A script’s navigation would not.
 * Call it soon after a press, because browsers block tabs otherwise.
 */
export function openFromHere(href: string): void {
  const link = document.createElement('a')
  Object.assign(link, { href, target: '_blank', rel: 'noopener', referrerPolicy: 'origin' })
  link.click()
}
