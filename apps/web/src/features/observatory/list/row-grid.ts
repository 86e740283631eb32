/** Row heights: a table's, and three lines on a phone. */
export const wideRowPx = 44
export const narrowRowPx = 88
export const headerPx = 40
/** Where rows are lines of a table. */
export const wideQuery = '(min-width: 48rem)'

/** The columns of header and rows. Written out: Tailwind finds class names in the source only. */
export const rowGrid =
  "grid gap-x-3 px-4 [grid-template-areas:'label_label_status'_'id_lat_lon'_'link_link_link'] grid-cols-[auto_minmax(0,1fr)_auto] md:gap-x-5 md:[grid-template-areas:'id_label_lat_lon_status_link'] md:grid-cols-[6.5rem_minmax(0,1fr)_4.5rem_5rem_6rem_minmax(0,11rem)]"
