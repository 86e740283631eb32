/** What text fields and selects have in common. 16 px text on phones, or iOS zooms in on focus. */
export const controlStyles =
  'h-10 w-full min-w-0 rounded-control border border-edge bg-panel px-3 text-base text-ink transition-colors duration-150 placeholder:text-faint hover:border-muted disabled:opacity-60 aria-invalid:border-danger sm:text-sm'
