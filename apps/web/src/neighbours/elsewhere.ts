/** How links to other installations open, like all links to other sites. */
export const elsewhere = { target: '_blank', rel: 'noopener noreferrer' } as const
