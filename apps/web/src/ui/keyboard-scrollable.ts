/** Spread on what scrolls sideways by itself: Safari lets the keyboard scroll only what has the focus. */
export const keyboardScrollable = { tabIndex: 0 } as const
