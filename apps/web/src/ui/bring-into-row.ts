/** A ref for the current link in a row that may be too wide for the screen. */
export function bringIntoRow(link: HTMLAnchorElement | null): void {
  const row = link?.closest('ul')
  if (!link || !row) return
  row.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - row.clientWidth / 2
}
