/** Row heights: a table's, and three lines on a phone. */
export const wideRowPx = 44
export const narrowRowPx = 88
/** The head with its line. */
export const headerPx = 41
/** Where rows are lines of a table. */
export const wideQuery = '(min-width: 48rem)'

/** The columns of header and rows. Written out: Tailwind finds class names in the source only. */
export const rowGrid =
  "grid gap-x-3 px-4 [grid-template-areas:'label_label_status'_'id_lat_lon'_'link_link_link'] grid-cols-[auto_minmax(0,1fr)_auto] lg:gap-x-5 md:[grid-template-areas:'id_label_lat_lon_status_link'] md:grid-cols-[5.75rem_minmax(0,3fr)_3.75rem_4.25rem_5.75rem_minmax(0,2fr)]"
