/** Text on the map stands out from land, water and marks alike by a dark rim. */
export const mapTextLook =
  'text-xs whitespace-nowrap text-ink [text-shadow:0_0_3px_var(--color-ground),0_0_2px_var(--color-ground),0_1px_2px_var(--color-ground)]'
