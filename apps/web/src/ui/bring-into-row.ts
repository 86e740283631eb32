/**
 * A ref for the current link in a row of links. If the row is too wide for the screen, it scrolls to the
 * link, and the page stays where it is.
 */
export function bringIntoRow(link: HTMLAnchorElement | null): void {
  const row = link?.closest('ul')
  if (!link || !row) return
  row.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - row.clientWidth / 2
}
