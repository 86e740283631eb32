/** The size of a download or upload. */
export const largeBytes = 64 * 1024 * 1024
/** The size of one write of the service. */
export const pieceBytes = 64 * 1024
