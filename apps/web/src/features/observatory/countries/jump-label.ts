/** What the button says before and after its menu has come. */
export const jumpLabel = 'Jump to'
