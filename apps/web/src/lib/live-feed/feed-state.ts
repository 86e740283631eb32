/** How the page hears of changes: `polling` is what a feed that failed leaves, until it is back. */
export type FeedState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'polling'; readonly error: FeedError }

/** Set silently: nobody is alerted. */
export type FeedError = 'SSE error' | 'WebSocket error'
