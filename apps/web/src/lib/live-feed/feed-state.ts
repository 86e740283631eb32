/** How the page hears of changes: `polling` is what a feed that failed leaves, until it is back. */
export type FeedState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'polling'; readonly error: FeedError }

/** SPEC.md section 8: set silently. */
export type FeedError = 'SSE error' | 'WebSocket error'
