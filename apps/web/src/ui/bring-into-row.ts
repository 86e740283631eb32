/**
 * A ref for the current one of links that stand in a row: where the screen is too narrow for all of them the
 * row scrolls by itself, and the page stays where it is.
 */
export function bringIntoRow(link: HTMLAnchorElement | null): void {
  const row = link?.closest('ul')
  if (!link || !row) return
  row.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - row.clientWidth / 2
}
