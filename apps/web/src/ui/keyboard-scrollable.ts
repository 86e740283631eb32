/** Spread it on elements that scroll sideways. In Safari the keyboard scrolls only focused elements. */
export const keyboardScrollable = { tabIndex: 0 } as const
